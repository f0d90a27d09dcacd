import type { Catalogue } from '../../contracts/task.ts';
import { ServiceError } from '../lib/errors.ts';
import type { ExecutorUsage, ToolUsage } from '../models/port.ts';
import type { Tool, ToolOrigin } from './port.ts';

/** An executor: who runs a plan item, with which tools, and with what added to its prompt. */
export interface Executor extends ExecutorUsage {
  /** Tool names it may use; null means all. */
  tools: string[] | null;
}

/** A tool as lists show it. */
export interface ListedTool extends Pick<Tool, 'name' | 'description' | 'usage' | 'help' | 'effect' | 'writes'> {
  approval: boolean;
  origin: ToolOrigin;
}

/** The tools and executors of this service, by name. */
export interface ToolRegistry {
  get(name: string): Tool | undefined;
  /** All tools that there are now, fixed ones first. */
  list(): ListedTool[];
  /** Names of the executors that have a tool. */
  executorsOf(tool: string): string[];
  /** The usage of the named tools, in the registry's order; unknown names are left out. */
  usage(names: string[]): ToolUsage[];
  executors: ExecutorUsage[];
  /** What a task that opens now may use. */
  catalogue(): Catalogue;
}

const DEFAULT: Executor = { name: 'default', description: 'Every tool.', prompt: null, tools: null };

const BUILT_IN: ToolOrigin = { kind: 'built_in' };

const originText = ({ origin = BUILT_IN }: Tool): string =>
  ({ built_in: 'built in', config: 'from tripact.config.ts', mcp: 'from an MCP server' })[origin.kind];

const refuseSameNames = (tools: readonly Tool[]): void => {
  const byName = new Map<string, Tool>();
  for (const tool of tools) {
    const other = byName.get(tool.name);
    if (other !== undefined)
      throw new ServiceError(
        'CONFIG_INVALID',
        `Two tools have the same name "${tool.name}": one is ${originText(other)}, one is ${originText(tool)}. Rename one.`,
      );
    byName.set(tool.name, tool);
  }
};

const refuseSameExecutors = (all: readonly Executor[]): void => {
  const twice = all.find(({ name }, at) => all.findIndex((other) => other.name === name) < at);
  if (twice !== undefined)
    throw new ServiceError('CONFIG_INVALID', `Two executors are named "${twice.name}": rename one.`);
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
  const approved = new Set(approve);
  const needsApproval = ({ name, approval }: Tool): boolean => approval === true || approved.has(name);
  const fixed = sources.filter((source) => typeof source !== 'function');
  const changing = sources.filter((source) => typeof source === 'function');
  refuseSameNames(fixed);
  const current = (): readonly Tool[] => {
    const changed = changing.flatMap((source) => source());
    if (changed.length === 0) return fixed;
    const byName = new Map<string, Tool>();
    for (const tool of [...fixed, ...changed]) if (!byName.has(tool.name)) byName.set(tool.name, tool);
    return [...byName.values()];
  };
  const all = executors.some(({ name }) => name === DEFAULT.name) ? executors : [DEFAULT, ...executors];
  refuseSameExecutors(all);
  const allowed = all.map(({ name, tools }) => ({ name, tools: tools === null ? null : new Set(tools) }));
  return {
    get: (name) => current().find((tool) => tool.name === name),
    list: () =>
      current().map((tool) => {
        const { name, description, usage, help, effect, writes, origin = BUILT_IN } = tool;
        const shown = { name, description, usage, ...(help !== undefined && { help }) };
        return { ...shown, effect, writes, approval: needsApproval(tool), origin };
      }),
    executorsOf: (tool) => allowed.filter(({ tools }) => tools?.has(tool) ?? true).map(({ name }) => name),
    usage: (names) => {
      const wanted = new Set(names);
      return current().filter(({ name }) => wanted.has(name));
    },
    executors: all.map(({ name, description, prompt }) => ({ name, description, prompt })),
    catalogue: () => ({
      tools: current().map((tool) => {
        const { name, writes } = tool;
        return needsApproval(tool) ? { name, writes, approval: true } : { name, writes };
      }),
      executors: all.map(({ name, tools }) => ({ name, tools })),
    }),
  };
};
