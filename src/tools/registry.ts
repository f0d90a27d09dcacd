import { hasOwnFields, RESERVED_NAMES } from '../../contracts/calls.ts';
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

/** Tools that models are told of, at most: OpenAI takes 128 in a call, some of which are the service's own. */
export const TOOLS_MAX = 128 - RESERVED_NAMES.length;

/** Schemas longer than this are named at the start, in characters: each call of a model reads them. */
export const SCHEMA_CHARS_NAMED = 20_000;

/** Characters of a token, about: only the model's own tokenizer knows. */
const CHARS_PER_TOKEN = 4;

/** Throws `CONFIG_INVALID` for names that models call something else by, and for more tools than they take. */
const refuseUntellable = (tools: readonly Tool[]): void => {
  const reserved = tools.find(({ name }) => RESERVED_NAMES.includes(name.toLowerCase()));
  if (reserved !== undefined)
    throw new ServiceError(
      'CONFIG_INVALID',
      `A tool can not have the name "${reserved.name}": models call the service itself by ${RESERVED_NAMES.join(', ')}. Rename it.`,
    );
  if (tools.length > TOOLS_MAX)
    throw new ServiceError(
      'CONFIG_INVALID',
      `There are ${tools.length} tools, and models take ${TOOLS_MAX} beside the service's own: take some out of "tools", name fewer in "builtinTools", or make one tool of several.`,
    );
};

const isTold = ({ isForUsers }: Tool): boolean => isForUsers !== true;

const schemaChars = ({ schema }: Tool): number => (schema === undefined ? 0 : JSON.stringify(schema).length);

/** Tokens that a tool costs in each prompt, about. */
const aboutTokens = (tool: Tool): number => {
  const { name, description, usage, schema } = tool;
  const input = schema === undefined ? usage.length : schemaChars(tool);
  return Math.ceil((name.length + description.length + input) / CHARS_PER_TOKEN);
};

/** Gathers tools and executors by name. Throws for two fixed ones of a name; of the `changing` ones none takes another's. `approve`: need approval. */
export const createToolRegistry = (
  fixed: readonly Tool[],
  executors: Executor[] = [],
  approve: readonly string[] = [],
  changing: () => Tool[] = () => [],
) => {
  const needsApproval = ({ name, approval }: Tool): boolean => approval === true || approve.includes(name);
  const isSideBySide = (tool: Tool): boolean => tool.effect !== 'transactional' && !tool.writes && !needsApproval(tool);
  refuseSameNames('tools', fixed);
  refuseUntellable(fixed.filter((tool) => isTold(tool) && tool.isAlways !== true));
  const current = (): readonly Tool[] => {
    const changed = changing();
    if (changed.length === 0) return fixed;
    const byName = Map.groupBy([...fixed, ...changed], ({ name }) => name);
    return [...byName.values()].map(([first]) => first!);
  };
  const all = executors.some(({ name }) => name === DEFAULT.name) ? executors : [DEFAULT, ...executors];
  refuseSameNames('executors', all);
  const catalogueOf = (tools: readonly Tool[]): Catalogue => ({
    tools: tools.filter(isTold).map((tool) => ({
      name: tool.name,
      writes: tool.writes,
      ...(needsApproval(tool) && { approval: true }),
      ...(tool.schema !== undefined && hasOwnFields(tool.schema) && { takes_json: true }),
      ...(isSideBySide(tool) && { side_by_side: true }),
      ...(tool.isAlways === true && { always: true }),
    })),
    executors: all.map(({ name, tools }) => ({ name, tools })),
  });
  const fixedCatalogue = catalogueOf(fixed);
  return {
    get: (name: string): Tool | undefined => current().find((tool) => tool.name === name),
    /** True for a tool that only reads and that nobody is asked about: calls of it may run beside each other (SPEC 3). */
    isSideBySide: (name: string): boolean => current().some((tool) => tool.name === name && isSideBySide(tool)),
    /** All tools that there are now, fixed ones first, but for what every task has; `for_models`: models are told of it. */
    list: () =>
      current()
        .filter(({ isAlways }) => isAlways !== true)
        .map((tool) => {
          const { name, description, usage, schema = null, help, effect, writes } = tool;
          const { isCommand = false, origin = BUILT_IN } = tool;
          return {
            name,
            description,
            usage,
            help,
            effect,
            writes,
            origin,
            isCommand,
            for_models: isTold(tool),
            approval: needsApproval(tool),
            input_schema: schema,
            schema_chars: schemaChars(tool),
            about_tokens: aboutTokens(tool),
          };
        }),
    executorsOf: (tool: string): string[] =>
      all.filter(({ tools }) => tools?.includes(tool) ?? true).map(({ name }) => name),
    /** The usage of the named tools, in the registry's order; unknown names are left out. */
    usage: (names: string[]): ToolUsage[] => {
      const wanted = new Set(names);
      return current().filter((tool) => isTold(tool) && wanted.has(tool.name));
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
