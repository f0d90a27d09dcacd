import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import type { Tool as ListedTool } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { maskSecrets } from '../../lib/log.ts';
import type { SignIns } from '../../sign-in/port.ts';
import { writeFileWhole } from '../../workspace/write-file.ts';
import type { OutsideTool } from '../port.ts';
import { createSignInTool } from './ask-sign-in.ts';
import { mayHaveSignIns, tokensOf } from './authorization.ts';
import { createHeldCalls } from './held-calls.ts';
import { createMcpTool } from './mcp-tool.ts';
import { createOwnerConnections } from './owner-connections.ts';
import type { McpServerConfig, McpTools } from './port.ts';
import { type ConnectionOptions, ServerConnection } from './server-connection.ts';

/** Longest wait for the servers by those who need their tools, in milliseconds: one may hang. */
const TRIED_MS = 10_000;

/** Options of all connections. */
export interface McpOptions extends ConnectionOptions {
  /** Names of the service's own tools, which no server can take. */
  reserved?: readonly string[];
  /** Most tools of all servers together; the last ones beyond it are left out. Default: no limit. */
  toolsMax?: number;
  /**
   * A file that stores each server's last state, so that its tools are offered before it is connected. Without it, they
   * are not.
   */
  keptIn?: string;
  /** Users' sign-ins at the servers; null or absent: none can be offered. */
  signIns?: SignIns | null;
}

/** Headers, variables and query fields whose values are secret, by name. */
const SECRET_NAME = /auth|cookie|credential|key|passw|secret|token/i;

const secretsIn = (named: Iterable<readonly [string, string]>): string[] =>
  [...named].filter(([name]) => SECRET_NAME.test(name)).map(([, value]) => value);

/** The configured secrets of a server. Its texts must not carry them into a log or a trace. */
const secretsOf = (config: McpServerConfig): string[] => {
  if ('command' in config) return secretsIn(Object.entries(config.env ?? {}));
  const { password, searchParams } = new URL(config.url);
  const headers = secretsIn(Object.entries(config.headers ?? {}));
  // For `Bearer x`: a server that echoes only the token must not leak it either.
  const bare = headers.map((value) => value.replace(/^\w+\s+/, ''));
  const { client_secret = '' } = config.oauth ?? {};
  return [...headers, ...bare, password, client_secret, ...secretsIn(searchParams)];
};

const KeptServers = z.record(
  z.string(),
  z.object({
    /** It used the 2025 protocol. */
    isOld: z.boolean(),
    tools: z.array(z.looseObject({ name: z.string(), inputSchema: z.looseObject({ type: z.literal('object') }) })),
  }),
);

/** The last state of all servers; empty if the file cannot be read. */
const readKept = (path: string | undefined): z.infer<typeof KeptServers> => {
  try {
    return path === undefined ? {} : KeptServers.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    return {};
  }
};

/** Longest tool name, in characters: what tags, prompts and the configuration allow. */
const NAME_CHARS_MAX = 64;

const MARK_CHARS = 6;

/**
 * Names a server's tool `<server>_<tool>`, the same at every start. A name that was changed or may be ambiguous ends in
 * a hash of both names.
 */
export const mcpToolName = (
  server: string,
  tool: string,
  servers: readonly string[],
  reserved: readonly string[],
): string => {
  const plain = `${server}_${tool}`;
  const safe = plain.replace(/[^A-Za-z0-9_-]+/g, '_');
  // Tool `b_c` of server `a` and tool `c` of server `a_b`: the tool of the server with the shorter name is renamed.
  const isShared = servers.some((other) => other.length > server.length && safe.startsWith(`${other}_`));
  const isClear = safe === plain && safe.length <= NAME_CHARS_MAX && tool !== '';
  if (isClear && !isShared && !reserved.includes(safe)) return safe;
  const mark = createHash('sha256')
    .update(JSON.stringify([server, tool]))
    .digest('hex')
    .slice(0, MARK_CHARS);
  return `${safe.slice(0, NAME_CHARS_MAX - MARK_CHARS - 1)}_${mark}`;
};

const createServer = (
  server: string,
  config: McpServerConfig,
  servers: readonly string[],
  kept: z.infer<typeof KeptServers>,
  { reserved = [], keptIn, signIns: offered = null, ...options }: McpOptions,
  onLearned: () => void,
) => {
  const log = options.log.child({ mcp_server: server });
  const signIns = mayHaveSignIns(config) ? offered : null;
  /** The tokens that the server has seen, by owner: it may say them again. */
  const tokens = new Map<string, ReturnType<typeof tokensOf>>();
  const hideOwn = maskSecrets(secretsOf(config));
  const hide = (text: string): string => maskSecrets([...tokens.values()].flatMap(({ seen }) => seen()))(hideOwn(text));
  const { isOld, tools: known } = kept[server] ?? { isOld: false, tools: [] };
  const approved = Array.isArray(config.approval) ? config.approval : [];
  const sourced = config.source === undefined ? {} : { source: config.source };
  const wanted = ({ name }: Pick<ListedTool, 'name'>): boolean => config.tools?.includes(name) ?? true;
  const held = createHeldCalls();
  let found: OutsideTool[] = [];

  const offer = (listed: readonly ListedTool[]): void => {
    const tools = listed.filter(wanted).map((tool) => {
      const name = mcpToolName(server, tool.name, servers, reserved);
      const approval = config.approval === true || approved.includes(tool.name);
      return createMcpTool(tool, { name, server, approval, ...sourced }, { connectionFor, signIns, held, hide });
    });
    found = [...Map.groupBy(tools, ({ name }) => name).values()].flatMap(([first]) => first ?? []);
  };

  const learn = (listed: ListedTool[], isOld: boolean): void => {
    offer(listed);
    try {
      kept[server] = { isOld, tools: listed.filter(wanted) };
      if (keptIn !== undefined) writeFileWhole(keptIn, JSON.stringify(kept));
    } catch (error) {
      log.warn({ err: error }, 'the list of tools cannot be stored for the next start');
    }
    const names = listed.map((tool) => tool.name);
    // A typo in a name would let a tool run unapproved.
    const unguarded = approved.filter((name) => !names.includes(name));
    if (unguarded.length > 0)
      log.warn({ tools: unguarded }, 'approval is configured for tools that the MCP server does not offer');
    const missing = (config.tools ?? []).filter((name) => !names.includes(name));
    if (missing.length > 0) log.warn({ tools: missing }, '"tools" names tools that the MCP server does not offer');
    log.info({ tools: found.map(({ name }) => name) }, 'the MCP server offers tools');
    onLearned();
  };

  const connection = new ServerConnection(config, { ...options, log, isOld }, hide, learn);
  const owners = createOwnerConnections((owner) => {
    const own = signIns === null ? undefined : tokensOf(signIns, owner, server);
    if (own !== undefined) tokens.set(owner, own);
    return new ServerConnection(config, { ...options, log, isOld, ...(own && { tokens: own }) }, hide, learn);
  });
  const connectionFor = async (owner: string): Promise<ServerConnection> =>
    signIns !== null && (await signIns.token(owner, server)) !== null ? owners.of(owner) : connection;
  const signInTool =
    signIns === null
      ? null
      : createSignInTool({
          name: mcpToolName(server, 'sign_in', servers, reserved),
          server,
          signIns,
          challenge: () => connection.challenge(),
          learn: async (owner) => {
            await (await connectionFor(owner)).open();
            return found.map(({ name }) => name);
          },
          hide,
        });
  offer(known);
  return {
    name: server,
    connection,
    held,
    tools: (): OutsideTool[] => {
      const isUnknown = found.length === 0 && connection.state().state === 'sign_in';
      return isUnknown && signInTool !== null ? [signInTool] : found;
    },
    close: async (): Promise<void> => {
      await Promise.all([connection.close(), owners.close()]);
    },
  };
};

/**
 * Connects to the configured MCP servers and meanwhile offers their tools of last time. Their texts go into prompts:
 * list only trusted servers.
 */
export const openMcpServers = (servers: Readonly<Record<string, McpServerConfig>>, options: McpOptions): McpTools => {
  const kept = readKept(options.keptIn);
  const names = Object.keys(servers);
  const { toolsMax = Number.POSITIVE_INFINITY } = options;
  const found = (): OutsideTool[] => all.flatMap(({ tools }) => tools());
  const warnOfMany = (): void => {
    const { length } = found();
    if (length > toolsMax) options.log.warn({ tools: length, taken: toolsMax }, 'MCP servers have too many tools');
  };
  const all = Object.entries(servers).map(([name, config]) =>
    createServer(name, config, names, kept, options, warnOfMany),
  );
  const connected = Promise.allSettled(all.map(({ connection }) => connection.open()));
  return {
    tools: () => found().slice(0, toolsMax),
    servers: () => {
      const left = new Set(found().slice(toolsMax));
      return all.map(({ name, connection, tools }) => {
        const state = connection.state();
        const lacks = tools().filter((tool) => left.has(tool)).length;
        if (lacks === 0) return { name, ...state };
        const why = `models take ${toolsMax} tools of servers, so ${lacks} of its tools are left out: list the ones that you need in its "tools"`;
        return { name, ...state, reason: state.reason === null ? why : `${state.reason}; ${why}` };
      });
    },
    tried: Promise.race([connected, wait(TRIED_MS, undefined, { ref: false })]).then(() => undefined),
    taskEnded: (taskId) => {
      for (const { held } of all) held.leave(taskId);
    },
    close: async () => {
      await Promise.all(all.map(({ close }) => close()));
    },
  };
};
