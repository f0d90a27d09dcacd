import type { Catalogue } from '../../contracts/task.ts';
import { ServiceError } from '../lib/errors.ts';
import type { ExecutorUsage, ToolUsage } from '../models/port.ts';
import type { Tool, ToolOrigin } from './port.ts';

/** An executor: who runs a plan item, with which tools, and with what added to its prompt. */
export interface Executor extends ExecutorUsage {
  /** Tool names it may use; null means all. */
  tools: string[] | null;
}

const DEFAULT: Executor = { name: 'default', description: 'Every tool.', prompt: null, tools: null };

const BUILT_IN: ToolOrigin = { kind: 'built_in' };

const ORIGINS = { built_in: 'built in', config: 'from tripact.config.ts', mcp: 'from an MCP server' };

/** Throws `CONFIG_INVALID` where two have one name. */
const refuseSameNames = (kind: string, all: readonly (Tool | Executor)[]): void => {
  for (const [name, [one, other]] of Map.groupBy(all, ({ name }) => name)) {
    if (other === undefined) continue;
    const origins = [one, other].map((named) => ORIGINS[((named as Tool).origin ?? BUILT_IN).kind]);
    const where = kind === 'tools' ? `: one is ${origins.join(', one is ')}` : '';
    throw new ServiceError('CONFIG_INVALID', `Two ${kind} have the same name "${name}"${where}. Rename one.`);
  }
};

/** Gathers tools and executors by name. Throws for two fixed ones of a name; of the `changing` ones none takes another's. `approve`: need approval. */
export const createToolRegistry = (
  fixed: readonly Tool[],
  executors: Executor[] = [],
  approve: readonly string[] = [],
  changing: () => Tool[] = () => [],
) => {
  const needsApproval = ({ name, approval }: Tool): boolean => approval === true || approve.includes(name);
  refuseSameNames('tools', fixed);
  const current = (): readonly Tool[] => {
    const changed = changing();
    if (changed.length === 0) return fixed;
    const byName = Map.groupBy([...fixed, ...changed], ({ name }) => name);
    return [...byName.values()].map(([first]) => first!);
  };
  const all = executors.some(({ name }) => name === DEFAULT.name) ? executors : [DEFAULT, ...executors];
  refuseSameNames('executors', all);
  const catalogueOf = (tools: readonly Tool[]): Catalogue => ({
    tools: tools.map((tool) => ({
      ...{ name: tool.name, writes: tool.writes },
      ...(needsApproval(tool) && { approval: true }),
    })),
    executors: all.map(({ name, tools }) => ({ name, tools })),
  });
  const fixedCatalogue = catalogueOf(fixed);
  return {
    get: (name: string): Tool | undefined => current().find((tool) => tool.name === name),
    /** All tools that there are now, fixed ones first. */
    list: () =>
      current().map((tool) => {
        const { name, description, usage, help, effect, writes, isCommand = false, origin = BUILT_IN } = tool;
        return { name, description, usage, help, effect, writes, approval: needsApproval(tool), origin, isCommand };
      }),
    executorsOf: (tool: string): string[] =>
      all.filter(({ tools }) => tools?.includes(tool) ?? true).map(({ name }) => name),
    /** The usage of the named tools, in the registry's order; unknown names are left out. */
    usage: (names: string[]): ToolUsage[] => {
      const wanted = new Set(names);
      return current().filter(({ name }) => wanted.has(name));
    },
    executors: all.map(({ name, description, prompt }): ExecutorUsage => ({ name, description, prompt })),
    catalogue: (): Catalogue => {
      const tools = current();
      return tools === fixed ? fixedCatalogue : catalogueOf(tools);
    },
  };
};

export type ToolRegistry = ReturnType<typeof createToolRegistry>;

export type ListedTool = ReturnType<ToolRegistry['list']>[number];
