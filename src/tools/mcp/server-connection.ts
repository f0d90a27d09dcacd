import { setTimeout as wait } from 'node:timers/promises';
import { Client, type ElicitResult, type Tool as ListedTool } from '@modelcontextprotocol/client';
import { plainLine } from '../../../contracts/text.ts';
import { type Backoff, backoffMs } from '../../lib/backoff.ts';
import type { Log } from '../../lib/log.ts';
import type { Challenge } from '../../sign-in/port.ts';
import { authProvider, mayHaveSignIns, type OwnerTokens, type SignInNeeded, signInNeeded } from './authorization.ts';
import type { HeldCall } from './held-calls.ts';
import { type LeftOut, readOddResults } from './odd-results.ts';
import type { McpServerConfig, McpServerState } from './port.ts';
import { readingTools } from './reading-tools.ts';
import { createTransport, isTooLarge, reasonOf, TOO_LARGE } from './transport.ts';

/** Longest wait for each answer while connecting, in milliseconds: a program may first be downloaded (`npx`). */
const CONNECT_TIMEOUT_MS = 30_000;

/**
 * Longest wait for an answer to the first request, in milliseconds. Some old servers never answer it and are then asked
 * with the older protocol.
 */
const PROBE_TIMEOUT_MS = 5_000;

/** The pauses between two attempts to connect: a server that is reachable again is found within a minute. */
const CONNECT_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 60_000 };

/** How long it is believed that a server wants a sign-in, in milliseconds, before it is asked again. */
const SIGN_IN_BELIEVED_MS = 60_000;

const STDERR_CHARS_MAX = 2_000;

/** Longest list of a server's unusable tools, in characters. */
const LACKS_CHARS_MAX = 1_000;

export interface Link {
  client: Client;
  fault: string | null;
  /** Calls of the 2025 protocol in progress. Its questions do not name their call, so it may ask only beside no other. */
  calls: Set<HeldCall>;
}

/** A server's tools, and those by which its resources and prompts are read. Its own come first where names are the same. */
const withReading = (client: Client, tools: ListedTool[]): ListedTool[] => [
  ...tools.map(({ _meta: _, ...tool }) => tool),
  ...readingTools(client.getServerCapabilities() ?? {}),
];

/** Whom a server of the 2025 protocol asks: the user of its only call. */
const elicited = ({ calls }: Link, params: unknown, takenBack: AbortSignal): Promise<ElicitResult> | ElicitResult => {
  const [call, ...others] = [...calls].filter(({ isOver }) => !isOver);
  return call === undefined || others.length > 0 ? { action: 'cancel' } : call.asked(params, takenBack);
};

export interface ConnectionOptions {
  cwd: string;
  version: string;
  log: Log;
  /** It last used the 2025 protocol, which is tried first; default false. */
  isOld?: boolean;
  /** The tokens of the owner whose connection it is; absent: it is everybody's who has not signed in. */
  tokens?: OwnerTokens;
  /** The pauses after failed attempts to connect; default 1 s, doubling up to a minute. */
  backoff?: Backoff;
}

/** The connection to one server, opened on demand and reopened after it broke. */
export type ServerConnection = ReturnType<typeof createServerConnection>;

/**
 * Creates the connection to a server without opening it. `onListed` gets its tools, now and when they change; `hide`
 * masks its secrets.
 */
export const createServerConnection = (
  config: McpServerConfig,
  { cwd, version, log, backoff = CONNECT_BACKOFF, ...last }: ConnectionOptions,
  hide: (text: string) => string,
  onListed: (tools: ListedTool[], isOld: boolean) => void,
) => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let current: Link | null = null;
  let connecting: Promise<Link> | null = null;
  let failures = 0;
  let reason: string | null = null;
  let isWaiting = false;
  let { isOld = false } = last;
  const { tokens } = last;
  const auth = mayHaveSignIns(config) ? authProvider(tokens ?? null) : null;
  /** It wanted a sign-in when it was last asked, at that time. */
  let wanted: { needed: SignInNeeded; at: number } | null = null;

  /** Unusable tools of the last list, and of the list that is being received. */
  let leftOut: LeftOut[] = [];
  let leaving: LeftOut[] = [];

  const patience = { timeout: CONNECT_TIMEOUT_MS, signal };

  const learn = (tools: ListedTool[]): void => {
    leftOut = leaving;
    leaving = [];
    if (leftOut.length > 0) log.warn({ tools: leftOut }, 'tools of the MCP server are left out: they cannot be used');
    onListed(tools, isOld);
  };

  const list = async (client: Client): Promise<void> => {
    const { tools } = await client.listTools(undefined, { ...patience, cacheMode: 'refresh' });
    learn(withReading(client, tools));
  };

  const drop = (link: Link, why: string): void => {
    if (current !== link) return;
    current = null;
    reason = hide(why);
    log.warn({ reason }, 'the MCP server disconnected; its next call connects again');
  };

  /** Its stream of changes ended: the server may have been replaced by one with other tools. */
  const watch = async (link: Link): Promise<void> => {
    const ending = await link.client.autoOpenedSubscription?.closed;
    if (ending === undefined || ending === 'local' || current !== link) return;
    await list(link.client);
  };

  const onStderr = (text: string): void =>
    log.debug({ stderr: plainLine(hide(text), STDERR_CHARS_MAX) }, 'the MCP server wrote');

  /** Tries the protocol that was used last, then the other one if the server may use it. */
  const connect = async (isAgain = false): Promise<Link> => {
    const client = new Client(
      { name: 'tripact', version },
      {
        capabilities: { elicitation: { form: {}, url: {} } },
        versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_TIMEOUT_MS } },
        // The task asks its user, in days if need be, and calls again with the answers.
        inputRequired: { autoFulfill: false },
        // An owner's connection is short: the next one reads the list anew.
        ...(tokens === undefined && {
          listChanged: {
            tools: {
              onChanged: (_error, tools) =>
                current?.client === client && tools !== null && learn(withReading(client, tools)),
            },
          },
        }),
      },
    );
    const link: Link = { client, fault: null, calls: new Set() };
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => elicited(link, params, mcpReq.signal));
    client.onerror = (error) => {
      if (isTooLarge(error)) link.fault = TOO_LARGE;
      log.debug({ reason: reasonOf(error, hide) }, 'an MCP connection had an error');
    };
    client.onclose = () => drop(link, link.fault ?? 'the connection was closed');
    try {
      const prior = isOld ? ({ prior: { kind: 'legacy' } } as const) : {};
      await client.connect(createTransport(config, { cwd, onStderr, auth }), { ...patience, ...prior });
      isOld = client.getProtocolEra() === 'legacy';
      leaving = [];
      readOddResults(client.transport, ({ tool, reason }) => leaving.push({ tool: hide(tool), reason: hide(reason) }));
      await list(client);
      signal.throwIfAborted();
    } catch (error) {
      await client.close().catch(() => undefined);
      signal.throwIfAborted();
      const needed = auth === null ? null : signInNeeded(error);
      if (needed !== null) {
        wanted = { needed, at: performance.now() };
        log.info('the MCP server wants its users to sign in');
        throw needed;
      }
      // A program may exit at the question which protocol it uses, and a server may have learned the newer one by now.
      const mayBeOther = isOld || 'command' in config;
      isOld = !isOld && mayBeOther;
      if (mayBeOther && !isAgain && link.fault === null) return connect(true);
      failures += 1;
      reason = link.fault ?? reasonOf(error, hide);
      if (tokens !== undefined) throw new Error(reason);
      log[failures === 1 ? 'warn' : 'debug']({ reason }, 'the MCP server cannot be reached; retrying');
      void tryAgainLater();
      throw new Error(reason);
    }
    current = link;
    failures = 0;
    reason = null;
    wanted = null;
    log.info({ protocol: client.getNegotiatedProtocolVersion() }, 'connected to the MCP server');
    watch(link).catch((error) => drop(link, reasonOf(error, hide)));
    return link;
  };

  const open = async (): Promise<Link> => {
    signal.throwIfAborted();
    if (current !== null) return current;
    if (isWaiting) throw new Error(reason ?? '');
    if (tokens === undefined && wanted !== null && performance.now() - wanted.at < SIGN_IN_BELIEVED_MS)
      throw wanted.needed;
    connecting ??= connect().finally(() => {
      connecting = null;
    });
    return connecting;
  };

  const tryAgainLater = async (): Promise<void> => {
    isWaiting = true;
    await wait(backoffMs(backoff, failures), undefined, { signal, ref: false }).catch(() => undefined);
    isWaiting = false;
    if (!signal.aborted) await open().catch(() => undefined);
  };

  return {
    /** The live connection, opened if there is none. Rejects while a failed attempt waits for its retry. */
    open,
    /**
     * Gives up a broken connection, so that the next call opens another. Closes nothing: other calls may still get
     * their results.
     */
    drop,
    /** A call is in progress on it, or waits for its user. */
    isBusy: (): boolean => [...(current?.calls ?? [])].some(({ isOver }) => !isOver),
    /** What the server said when it wanted a sign-in. */
    challenge: (): Challenge => wanted?.needed.challenge ?? {},
    /** The current state. Never contains a secret. */
    state: (): Omit<McpServerState, 'name'> => {
      const lacks = leftOut.map(({ tool, reason: why }) => `${tool}: ${why}`).join('; ');
      if (current !== null)
        return { state: 'connected', reason: lacks === '' ? null : plainLine(lacks, LACKS_CHARS_MAX) };
      if (wanted !== null) return { state: 'sign_in', reason: 'each of its users has to sign in' };
      return { state: reason === null ? 'connecting' : 'failed', reason };
    },
    close: async (): Promise<void> => {
      stopping.abort(new Error('the service is stopping'));
      const link = current;
      current = null;
      await link?.client.close().catch(() => undefined);
    },
  };
};
