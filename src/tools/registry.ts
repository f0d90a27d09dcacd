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

/** Gathers tools and executors. Throws when two tools or two executors have one name. */
export const createToolRegistry = (tools: Tool[], executors: Executor[] = []): ToolRegistry => {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  if (byName.size < tools.length) throw new Error('two tools have the same name');
  const all = executors.some(({ name }) => name === DEFAULT.name) ? executors : [DEFAULT, ...executors];
  if (new Set(all.map(({ name }) => name)).size < all.length) throw new Error('two executors have the same name');
  const catalogue: Catalogue = {
    tools: tools.map(({ name, writes }) => ({ name, writes })),
    executors: all.map(({ name, tools: allowed }) => ({ name, tools: allowed })),
  };
  return {
    get: (name) => byName.get(name),
    usage: (names) =>
      tools
        .filter(({ name }) => names.includes(name))
        .map(({ name, description, usage }) => ({ name, description, usage })),
    executors: all.map(({ name, description, prompt }) => ({ name, description, prompt })),
    catalogue: () => catalogue,
  };
};
