import { join } from 'node:path';
import { RESERVED_NAMES } from '../../contracts/calls.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import { BUILT_IN_TOOLS, type BuiltInTool } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import type { SignIns } from '../sign-in/port.ts';
import type { A2aTools } from '../tools/a2a/port.ts';
import { createApprovals } from '../tools/approval.ts';
import type { McpOptions } from '../tools/mcp/open-mcp-servers.ts';
import type { McpTools } from '../tools/mcp/port.ts';
import type { Tool, ToolCall, ToolHooks } from '../tools/port.ts';
import { createReadResultTool } from '../tools/read-result/read-result.ts';
import { createToolRegistry, SCHEMA_CHARS_NAMED, TOOLS_MAX, type ToolRegistry } from '../tools/registry.ts';
import type { StoredFiles } from '../workspace/port.ts';
import { type BuiltIn, type BuiltInParts, builtInMakers, forUsers } from './built-in-tools.ts';
import type { TripactConfig } from './define-config.ts';
import { openAgents, ownToolsOf } from './open-agents.ts';
import { openSkills } from './open-skills.ts';
import { ownExecutors, ownTool } from './own-tools.ts';

interface ServiceToolParts extends BuiltInParts {
  file: TripactConfig;
  version: string;
  /** Users' sign-ins at MCP servers; null: none can be offered. */
  signIns: SignIns | null;
  /** Reads the text of files that tasks name. */
  textOf: StoredFiles['textOf'];
  /** Called after each run of a tool that may have made reminders. */
  ownerDataChanged(): void;
  /** Every tool passes through it before anybody can call it. */
  wrap(tool: Tool): Tool;
}

/** The tool, calling `changed` after the transaction of each of its runs, if it runs in one. */
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

/** Starts connecting to the MCP servers and waits for none. Their client is loaded only if there are any. */
const connectServers = async (
  { config, file: { mcpServers = {} }, log, version, signIns }: ServiceToolParts,
  names: Pick<McpOptions, 'reserved' | 'toolsMax'>,
): Promise<McpTools> => {
  if (Object.keys(mcpServers).length === 0)
    return { tools: () => [], servers: () => [], tried: Promise.resolve(), taskEnded: () => {}, close: async () => {} };
  const missing = missingPackages(['@modelcontextprotocol/client']);
  if (missing !== null) throw invalidConfig([`mcpServers: ${missing}`]);
  const { openMcpServers } = await import('../tools/mcp/open-mcp-servers.ts');
  const keptIn = join(config.dataDir, 'mcp-servers.json');
  return openMcpServers(mcpServers, { log, version, ...names, keptIn, cwd: process.cwd(), signIns });
};

/** Offers the configured A2A agents as tools, and waits for none. Their client is loaded only if there are any. */
const openOtherAgents = async ({ file: { a2aAgents = {} }, log }: ServiceToolParts): Promise<A2aTools> => {
  if (Object.keys(a2aAgents).length === 0)
    return { tools: () => [], agents: () => [], tried: Promise.resolve(), taskEnded: async () => {} };
  const missing = missingPackages(['@a2a-js/sdk']);
  if (missing !== null) throw invalidConfig([`a2aAgents: ${missing}`]);
  const { openA2aAgents } = await import('../tools/a2a/open-a2a-agents.ts');
  return openA2aAgents(a2aAgents, log);
};

/** The built-in tools that models get, if they can work: those listed, else all if the file has no tools of its own. */
const toldOf = ({ tools }: Config, file: TripactConfig): readonly BuiltInTool[] => {
  const hasOwn =
    (file.tools ?? []).length > 0 ||
    ownToolsOf(file).size > 0 ||
    Object.keys({ ...file.mcpServers, ...file.a2aAgents }).length > 0;
  return tools ?? file.builtinTools ?? (hasOwn ? [] : BUILT_IN_TOOLS);
};

/** Logs the tokens that tools add to each prompt, once their servers are connected: each large one, and the sum. */
const tellSizes = (registry: ToolRegistry, log: Log): void => {
  const tools = registry.list().filter(({ for_models }) => for_models);
  for (const { name, schema_chars, about_tokens } of tools)
    if (schema_chars > SCHEMA_CHARS_NAMED)
      log.warn(
        { tool: name, schema_chars, about_tokens },
        'the schema of a tool is long, and every model call reads it',
      );
  const about_tokens = tools.reduce((sum, tool) => sum + tool.about_tokens, 0);
  log.info({ tools: tools.length, about_tokens }, 'tools offered to models');
};

/** Makes the built-in tools. Those that models do not get are for users, and in `untold` as an agent may ask for them. */
const openBuiltIns = async (parts: ServiceToolParts) => {
  const { config, file, log } = parts;
  if (config.tools === null && config.bridgeDir === null && file.builtinTools?.includes('coding_agent') === true)
    throw invalidConfig(['builtinTools has coding_agent, which needs TRIPACT_BRIDGE_DIR: the folder that it shares.']);
  const chosen = BUILT_IN_TOOLS.filter((name) => config.tools?.includes(name) ?? true);
  const made = (await Promise.all(chosen.map((name) => builtInMakers[name](parts)))).filter((each) => each !== null);
  const told = toldOf(config, file);
  const isTold = ({ tool }: BuiltIn): boolean => told.includes(tool.name as BuiltInTool);
  const untold = chosen.filter((name) => !told.includes(name));
  if (untold.length > 0)
    log.info({ tools: untold }, 'models do not get these built-in tools: list them in "builtinTools" to change that');
  const used = made.map((each) => (isTold(each) ? each : forUsers(each)));
  const toolOf = ({ tool }: BuiltIn): Tool => reporting(tool, parts.ownerDataChanged);
  return {
    tools: used.map(toolOf),
    untold: made.filter((each) => !isTold(each)).map(toolOf),
    executors: used.flatMap(({ executor }) => executor ?? []),
    hooks: used.flatMap(({ hooks }) => hooks ?? []),
  };
};

/**
 * Makes the configured tools: built-in ones (SPEC 8), and those of the file and of MCP servers. Throws
 * `CONFIG_INVALID`.
 */
export const openTools = async (parts: ServiceToolParts) => {
  const { config, file, log, wrap } = parts;
  const builtIns = await openBuiltIns(parts);
  const skills = await openSkills(config, file);
  const ownOfAgents = ownToolsOf(file);
  const guard = createApprovals({
    ...(file.approvals !== undefined && { rules: file.approvals }),
    always: config.approve,
    afterUntrusted: config.askAfterUntrusted,
  });
  const guarded = (tool: Tool): Tool => wrap(guard(tool));
  const shared = [...builtIns.tools, ...(file.tools ?? []).map(ownTool)];
  const readResult = createReadResultTool(parts.textOf);
  const fixed = [...shared, ...ownOfAgents.values(), ...skills.tools, readResult].map(guarded);
  const executors = [...builtIns.executors, ...ownExecutors(file)];
  const others = await openOtherAgents(parts);
  // Conflicts are refused before any server is connected.
  const withoutServers = createToolRegistry([...fixed, ...others.tools()], executors);
  const mcp = await connectServers(parts, {
    reserved: [...RESERVED_NAMES, ...[...fixed, ...others.tools()].map(({ name }) => name)],
    toolsMax: TOOLS_MAX - withoutServers.list().filter(({ for_models }) => for_models).length,
  });
  const ofServers = (): Tool[] => [...others.tools(), ...mcp.tools()];
  const registry = createToolRegistry(fixed, executors, () => ofServers().map(guarded));
  const agents = openAgents({
    config,
    file,
    shared,
    onRequest: builtIns.untold,
    own: ownOfAgents,
    always: [readResult],
    skills,
    executors,
    ofServers,
    wrap,
  });
  const tried = Promise.all([mcp.tried, others.tried]).then(() => undefined);
  void tried.then(() => tellSizes(registry, log));
  const commands = fixed.filter(({ isCommand }) => isCommand === true);
  const ofOthers: ToolHooks = { taskEnded: others.taskEnded, recover: async () => {}, stop: () => {} };
  const hooks = [...builtIns.hooks, ofOthers];
  return { registry, mcp, otherAgents: others, tried, skills, agents, commands, hooks };
};

export type ServiceTools = Awaited<ReturnType<typeof openTools>>;
