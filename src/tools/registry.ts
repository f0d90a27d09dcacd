import { hasOwnFields, RESERVED_NAMES } from '../../contracts/calls.ts';
import type { Catalogue, CatalogueApproval } from '../../contracts/task.ts';
import { ServiceError } from '../lib/errors.ts';
import type { ExecutorUsage, ToolUsage } from '../models/port.ts';
import type { Tool, ToolOrigin } from './port.ts';

/** An executor: runs a plan item, with its own tools and its own addition to the prompt. */
export interface Executor extends ExecutorUsage {
  /** Names of the tools that it may use; null: all. */
  tools: string[] | null;
}

const DEFAULT: Executor = { name: 'default', description: 'Every tool.', prompt: null, tools: null };

const BUILT_IN: ToolOrigin = { kind: 'built_in' };

const ORIGINS = {
  built_in: 'built in',
  config: 'from tripact.config.ts',
  mcp: 'from an MCP server',
  a2a: 'an A2A agent',
};

/** Throws `CONFIG_INVALID` if two have the same name. */
const refuseSameNames = (kind: string, all: readonly (Tool | Executor)[]): void => {
  for (const [name, [one, other]] of Map.groupBy(all, ({ name }) => name)) {
    if (other === undefined) continue;
    const origins = [one, other].map((named) => ORIGINS[((named as Tool).origin ?? BUILT_IN).kind]);
    const where = kind === 'tools' ? `: one is ${origins.join(', one is ')}` : '';
    throw new ServiceError('CONFIG_INVALID', `Two ${kind} have the same name "${name}"${where}. Rename one.`);
  }
};

/** Most tools that models get: OpenAI accepts 128 in a request, some of which are the service's own. */
export const TOOLS_MAX = 128 - RESERVED_NAMES.length;

/** Longest schema that causes no warning at the start, in characters: every model call reads it. */
export const SCHEMA_CHARS_NAMED = 20_000;

/** Approximate characters of a token. Only the model's own tokenizer knows exactly. */
const CHARS_PER_TOKEN = 4;

/** Throws `CONFIG_INVALID` for reserved names, and for more tools than models accept. */
const refuseUntellable = (tools: readonly Tool[]): void => {
  const reserved = tools.find(({ name }) => RESERVED_NAMES.includes(name.toLowerCase()));
  if (reserved !== undefined)
    throw new ServiceError(
      'CONFIG_INVALID',
      `A tool cannot have the name "${reserved.name}": ${RESERVED_NAMES.join(', ')} are reserved for the service's own calls. Rename it.`,
    );
  if (tools.length > TOOLS_MAX)
    throw new ServiceError(
      'CONFIG_INVALID',
      `There are ${tools.length} tools, but models accept only ${TOOLS_MAX} beside the service's own: remove some from "tools", list fewer in "builtinTools", or combine several into one.`,
    );
};

const isTold = ({ isForUsers }: Tool): boolean => isForUsers !== true;

const schemaChars = ({ schema }: Tool): number => (schema === undefined ? 0 : JSON.stringify(schema).length);

/** Approximate tokens that a tool adds to each prompt. */
const aboutTokens = (tool: Tool): number => {
  const { name, description, usage, schema } = tool;
  const input = schema === undefined ? usage.length : schemaChars(tool);
  return Math.ceil((name.length + description.length + input) / CHARS_PER_TOKEN);
};

/** A tool's approval as data: a function is a policy. */
const approvalOf = ({ approval = false }: Tool): CatalogueApproval =>
  typeof approval === 'function' ? 'policy' : approval;

const isSideBySide = (tool: Tool): boolean =>
  tool.effect !== 'transactional' && !tool.writes && approvalOf(tool) === false;

/**
 * Collects tools and executors by name. Throws if two fixed ones share a name; a `changing` one with a taken name is
 * left out.
 */
export const createToolRegistry = (
  fixed: readonly Tool[],
  executors: Executor[] = [],
  changing: () => Tool[] = () => [],
) => {
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
      ...(approvalOf(tool) !== false && { approval: approvalOf(tool) }),
      ...(tool.source !== undefined && { source: tool.source }),
      ...(tool.approvers !== undefined && { approvers: [...tool.approvers] }),
      ...(tool.self !== undefined && { self: tool.self }),
      ...(tool.schema !== undefined && hasOwnFields(tool.schema) && { takes_json: true }),
      ...(isSideBySide(tool) && { side_by_side: true }),
      ...(tool.isAlways === true && { always: true }),
    })),
    executors: all.map(({ name, tools }) => ({ name, tools })),
  });
  const fixedCatalogue = catalogueOf(fixed);
  return {
    get: (name: string): Tool | undefined => current().find((tool) => tool.name === name),
    /** True for a tool that only reads and needs no approval: calls of it may run at the same time (SPEC 3). */
    isSideBySide: (name: string): boolean => current().some((tool) => tool.name === name && isSideBySide(tool)),
    /** All current tools, fixed ones first, without those that every task has; `for_models`: models can call it. */
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
            approval: approvalOf(tool),
            approvers: tool.approvers,
            is_untrusted: tool.source === 'untrusted',
            input_schema: schema,
            schema_chars: schemaChars(tool),
            about_tokens: aboutTokens(tool),
          };
        }),
    executorsOf: (tool: string): string[] =>
      all.filter(({ tools }) => tools?.includes(tool) ?? true).map(({ name }) => name),
    /** The usage of the named tools, in the registry's order; unknown names are ignored. */
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
