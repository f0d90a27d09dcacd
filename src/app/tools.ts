import { createHash } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { RESERVED_NAMES } from '../../contracts/calls.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import { BUILT_IN_TOOLS, type BuiltInTool } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import { madeOnce } from '../lib/once.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import { createFilesTool } from '../tools/files/files-tool.ts';
import { createInternetSearchTool, type WebSearch } from '../tools/internet-search/internet-search.ts';
import { createSearxngSearch } from '../tools/internet-search/searxng.ts';
import type { McpOptions } from '../tools/mcp/open-mcp-servers.ts';
import type { McpTools } from '../tools/mcp/port.ts';
import { rememberTool } from '../tools/memory/memory.ts';
import { planningTool } from '../tools/planning/planning-tool.ts';
import type { OutsideTool, Tool, ToolCall, ToolHooks } from '../tools/port.ts';
import { readResultTool } from '../tools/read-result/read-result.ts';
import {
  createToolRegistry,
  type Executor,
  SCHEMA_CHARS_NAMED,
  TOOLS_MAX,
  type ToolRegistry,
} from '../tools/registry.ts';
import { scheduleTool } from '../tools/schedule/schedule-tool.ts';
import { todoTool, viewTool } from '../tools/todo/todo-tool.ts';
import type { ChangeFile } from '../workspace/change-file.ts';
import type { TripactConfig } from './define-config.ts';

interface ServiceToolParts {
  config: Config;
  file: TripactConfig;
  changeFile: ChangeFile;
  log: Log;
  version: string;
  now(): number;
  /** Called after each run of a tool that may have made reminders. */
  ownerDataChanged(): void;
  /** Every tool goes through it before anybody can call it. */
  wrap(tool: Tool): Tool;
}

/** Throws `CONFIG_INVALID` where `TRIPACT_APPROVE` names a tool that there can't be: a slip would let a tool run unasked. Tools of MCP servers come later. */
export const checkApprovals = (approve: readonly string[], { tools = [], mcpServers = {} }: TripactConfig): void => {
  const known = [...BUILT_IN_TOOLS, ...tools.map(({ name }) => name)];
  const servers = Object.keys(mcpServers);
  const unknown = approve.filter(
    (name) => !known.includes(name) && !servers.some((server) => name.startsWith(`${server}_`)),
  );
  if (unknown.length === 0) return;
  const ofServers = servers.map((server) => `, ${server}_<tool>`).join('');
  throw invalidConfig(
    unknown.map((name) => `TRIPACT_APPROVE="${name}" must be names of tools, of ${known.join(', ')}${ofServers}.`),
  );
};

interface BuiltIn {
  tool: Tool;
  executor?: Executor;
  hooks?: ToolHooks;
}

/** The tool, which calls `changed` after the transaction of each of its runs, where it runs in one. */
const reporting = (tool: Tool, changed: () => void): Tool => {
  if (tool.effect !== 'transactional') return tool;
  return {
    ...tool,
    *run(input: string, call: ToolCall) {
      setImmediate(changed);
      return yield* tool.run(input, call);
    },
  };
};

/** Anthropic's own search; its SDK is loaded at the first search. */
const anthropicSearch = (model: string, apiKey: string): WebSearch => {
  const loaded = madeOnce(async () => {
    const { createAnthropicClient } = await import('../models/anthropic/anthropic.ts');
    const { createAnthropicSearch } = await import('../tools/internet-search/anthropic.ts');
    return createAnthropicSearch(createAnthropicClient({ apiKey }), model);
  });
  // The model searches, reads and writes.
  return {
    name: 'Anthropic web search',
    timeoutMs: 50_000,
    search: async (...asked) => (await loaded())(...asked),
  };
};

/** SearXNG first, then Anthropic's own with a key: a server of one's own that speaks `/v1/messages` has no web search. */
const webSearches = ({ searxngUrl, model }: Config): WebSearch[] => [
  ...(searxngUrl === null ? [] : [createSearxngSearch(searxngUrl)]),
  ...(model.kind === 'anthropic' && model.apiKey !== undefined && model.baseURL === undefined
    ? [anthropicSearch(model.model, model.apiKey)]
    : []),
];

const openCodingAgent = async ({ config, log, now }: ServiceToolParts): Promise<BuiltIn | null> => {
  const { bridgeDir, bridgeTimeoutMs: timeoutMs, retentionDays: days, dataDir, databaseUrl, nodeUrl } = config;
  if (bridgeDir === null) return null;
  try {
    mkdirSync(bridgeDir, { recursive: true, mode: 0o700 });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw invalidConfig([`TRIPACT_BRIDGE_DIR=${JSON.stringify(bridgeDir)} can not be used (${code}).`]);
  }
  if (nodeUrl !== null)
    log.warn(
      { bridge_dir: bridgeDir },
      'the folder of the coding agent has to be one volume of all nodes and the agent: where it is not, tasks that another node takes over get no report',
    );
  const { codingAgentExecutor, createCodingAgent } = await import('../tools/coding-agent/coding-agent.ts');
  // All nodes on a database are one service.
  const name = databaseUrl === null ? resolve(dataDir) : databaseUrl.replace(/^.*@/, '');
  const service = createHash('sha256').update(name).digest('hex').slice(0, 16);
  const { tool, ...hooks } = createCodingAgent({ bridgeDir, timeoutMs, days, service, log, now });
  return { tool, hooks, executor: codingAgentExecutor };
};

/** The same for users alone; nobody works with it as an executor. */
const forUsers = ({ tool, hooks }: BuiltIn): BuiltIn => ({
  tool: { ...tool, isForUsers: true },
  ...(hooks !== undefined && { hooks }),
});

/** Makes each built-in tool; null where the configuration has nothing to make it of. What few services have is loaded by its maker. */
const makers: Record<BuiltInTool, (parts: ServiceToolParts) => BuiltIn | null | Promise<BuiltIn | null>> = {
  todo: () => ({ tool: todoTool }),
  view: () => ({ tool: viewTool }),
  schedule: () => ({ tool: scheduleTool }),
  planning: () => ({ tool: planningTool }),
  remember: () => ({ tool: rememberTool }),
  internet_search: ({ config }) => {
    const searches = webSearches(config);
    const made = { tool: createInternetSearchTool(searches) };
    return searches.length === 0 ? forUsers(made) : made;
  },
  files: ({ changeFile }) => ({ tool: createFilesTool(changeFile) }),
  coding_agent: openCodingAgent,
};

/** Begins to connect to the MCP servers and waits for none. Their client is loaded only where there are some. */
const connectServers = async (
  { config, file: { mcpServers = {} }, log, version }: ServiceToolParts,
  names: Pick<McpOptions, 'reserved' | 'toolsMax'>,
): Promise<McpTools> => {
  if (Object.keys(mcpServers).length === 0)
    return { tools: () => [], servers: () => [], tried: Promise.resolve(), close: async () => {} };
  const missing = missingPackages(['@modelcontextprotocol/client']);
  if (missing !== null) throw invalidConfig([`mcpServers: ${missing}`]);
  const { openMcpServers } = await import('../tools/mcp/open-mcp-servers.ts');
  const keptIn = join(config.dataDir, 'mcp-servers.json');
  return openMcpServers(mcpServers, { log, version, ...names, keptIn, cwd: process.cwd() });
};

/** The properties of a tool that the service uses. */
const USED = [
  ...['name', 'description', 'usage', 'schema', 'help', 'isCommand', 'command', 'writes'],
  ...['approval', 'effect', 'timeoutMs', 'checkInput', 'run'],
] as (keyof OutsideTool)[];

/** A tool of the configuration file as a plain object: an instance has its functions, and perhaps more, from its class. */
const ownTool = (tool: Tool): Tool => {
  const used = USED.flatMap((key) => {
    const value = (tool as OutsideTool)[key];
    return value === undefined ? [] : [[key, typeof value === 'function' ? value.bind(tool) : value]];
  });
  return { ...tool, ...(Object.fromEntries(used) as Tool), origin: { kind: 'config' } };
};

/** The built-in tools that models are told of, where they can work: those that are named, else all where the file has no tools of its own. */
const toldOf = ({ tools }: Config, file: TripactConfig): readonly BuiltInTool[] => {
  const hasOwn = (file.tools ?? []).length > 0 || Object.keys(file.mcpServers ?? {}).length > 0;
  return tools ?? file.builtinTools ?? (hasOwn ? [] : BUILT_IN_TOOLS);
};

/** Tells what tools cost in each prompt, once their servers are there: of the large ones each, and the sum. */
const tellSizes = (registry: ToolRegistry, log: Log): void => {
  const tools = registry.list().filter(({ for_models }) => for_models);
  for (const { name, schema_chars, about_tokens } of tools)
    if (schema_chars > SCHEMA_CHARS_NAMED)
      log.warn(
        { tool: name, schema_chars, about_tokens },
        'the schema of a tool is long, and each call of a model reads it',
      );
  const about_tokens = tools.reduce((sum, tool) => sum + tool.about_tokens, 0);
  log.info({ tools: tools.length, about_tokens }, 'models are told of the tools');
};

/** Makes the tools that the configuration asks for: built-in ones (SPEC 8), those of its file and of MCP servers. Throws `CONFIG_INVALID`. */
export const openTools = async (parts: ServiceToolParts) => {
  const { config, file, log, wrap } = parts;
  const chosen = BUILT_IN_TOOLS.filter((name) => config.tools?.includes(name) ?? true);
  const made = await Promise.all(chosen.map((name) => makers[name](parts)));
  const told = toldOf(config, file);
  if (config.tools === null && config.bridgeDir === null && file.builtinTools?.includes('coding_agent') === true)
    throw invalidConfig(['builtinTools has coding_agent, which needs TRIPACT_BRIDGE_DIR: the folder that it shares.']);
  const builtIn = made
    .filter((each) => each !== null)
    .map((each) => (told.includes(each.tool.name as BuiltInTool) ? each : forUsers(each)));
  const own = (file.tools ?? []).map(ownTool);
  const fixed = [...builtIn.map(({ tool }) => reporting(tool, parts.ownerDataChanged)), ...own, readResultTool].map(
    wrap,
  );
  const executors = (file.executors ?? []).map(({ name, description, tools, prompt }) => ({
    name,
    description,
    tools: tools ?? null,
    prompt: prompt ?? null,
  }));
  let mcp: McpTools | undefined;
  const registry = createToolRegistry(
    fixed,
    [...builtIn.flatMap(({ executor }) => executor ?? []), ...executors],
    config.approve,
    () => (mcp?.tools() ?? []).map(wrap),
  );
  mcp = await connectServers(parts, {
    reserved: [...RESERVED_NAMES, ...fixed.map(({ name }) => name)],
    toolsMax: TOOLS_MAX - registry.list().filter(({ for_models }) => for_models).length,
  });
  const untold = chosen.filter((name) => !told.includes(name));
  if (untold.length > 0)
    log.info({ tools: untold }, 'models are not told of these built-in tools: "builtinTools" names those for them');
  void mcp.tried.then(() => tellSizes(registry, log));
  const commands = fixed.filter(({ isCommand }) => isCommand === true);
  return { registry, mcp, commands, hooks: builtIn.flatMap(({ hooks }) => hooks ?? []) };
};

export type ServiceTools = Awaited<ReturnType<typeof openTools>>;
