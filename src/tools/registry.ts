import type { Catalogue } from '../../contracts/event.ts';
import type { ExecutorUsage, ToolUsage } from '../models/port.ts';
import type { Tool } from './port.ts';

/** An executor: who runs a plan item, with which tools, and with what added to its prompt. */
export interface Executor extends ExecutorUsage {
  /** Tool names it may use; null means all. */
  tools: string[] | null;
}

/** The tools and executors of this service, by name. */
export interface ToolRegistry {
  get(name: string): Tool | undefined;
  /** The usage of the named tools, in the registry's order; unknown names are left out. */
  usage(names: string[]): ToolUsage[];
  executors: ExecutorUsage[];
  /** What a task that opens now may use. */
  catalogue(): Catalogue;
}

const DEFAULT: Executor = { name: 'default', description: 'Every tool.', prompt: null, tools: null };

const usages = new WeakMap<Tool, ToolUsage>();

/** What a prompt says of a tool: one object for each tool, so that what is made of it can be kept. */
const usageOf = (tool: Tool): ToolUsage => {
  const known = usages.get(tool);
  if (known !== undefined) return known;
  const { name, description, usage } = tool;
  const made = { name, description, usage };
  usages.set(tool, made);
  return made;
};

/** A tool, or where tools come from that change while the service runs (MCP servers). */
export type ToolSource = Tool | (() => Tool[]);

/**
 * Gathers tools and executors. Throws when two fixed tools or two executors have one name; a changing tool never takes the name
 * of another one and is left out. The tools named in `approve` need approval, whatever they say of themselves.
 */
export const createToolRegistry = (
  sources: readonly ToolSource[],
  executors: Executor[] = [],
  approve: readonly string[] = [],
): ToolRegistry => {
  const needsApproval = ({ name, approval }: Tool): boolean => approval === true || approve.includes(name);
  const fixed = sources.filter((source) => typeof source !== 'function');
  const changing = sources.filter((source) => typeof source === 'function');
  if (new Set(fixed.map(({ name }) => name)).size < fixed.length) throw new Error('two tools have the same name');
  const current = (): readonly Tool[] => {
    if (changing.length === 0) return fixed;
    const byName = new Map<string, Tool>();
    for (const tool of [...fixed, ...changing.flatMap((source) => source())])
      if (!byName.has(tool.name)) byName.set(tool.name, tool);
    return [...byName.values()];
  };
  const all = executors.some(({ name }) => name === DEFAULT.name) ? executors : [DEFAULT, ...executors];
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new Error('two executors have the same name');
  return {
    get: (name) => current().find((tool) => tool.name === name),
    usage: (names) =>
      current()
        .filter(({ name }) => names.includes(name))
        .map(usageOf),
    executors: all.map(({ name, description, prompt }) => ({ name, description, prompt })),
    catalogue: () => ({
      tools: current().map((tool) => {
        const { name, writes } = tool;
        return needsApproval(tool) ? { name, writes, approval: true } : { name, writes };
      }),
      executors: all.map(({ name, tools: allowed }) => ({ name, tools: allowed })),
    }),
  };
};
