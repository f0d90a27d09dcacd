import { setTimeout as wait } from 'node:timers/promises';
import { type AuthProvider, Client, type ElicitResult, type Tool as ListedTool } from '@modelcontextprotocol/client';
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

/** Creates a client that has not connected. `onTools` gets each list that the server announces; null: none is wanted. */
const createClient = (version: string, onTools: ((tools: ListedTool[]) => void) | null): Client =>
  new Client(
    { name: 'tripact', version },
    {
      capabilities: { elicitation: { form: {}, url: {} } },
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: PROBE_TIMEOUT_MS } },
      // The task asks its user, in days if need be, and calls again with the answers.
      inputRequired: { autoFulfill: false },
      ...(onTools !== null && {
        listChanged: { tools: { onChanged: (_error, tools) => tools !== null && onTools(tools) } },
      }),
    },
  );

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

/** The state of a connection. `waiting`: an attempt failed, and the next one is made after a pause. */
type State =
  | { readonly is: 'closed' | 'waiting' }
  | { readonly is: 'connecting'; readonly link: Promise<Link> }
  | { readonly is: 'connected'; readonly link: Link };

/** One attempt to connect: the link, and why it could not be used. */
type Attempt =
  | { readonly ok: true; readonly link: Link }
  | { readonly ok: false; readonly link: Link; readonly error: unknown };

/**
 * The connection to one server, opened on demand and reopened after it broke. It never shows a secret of the server in
 * its state or in the log.
 */
export class ServerConnection {
  readonly #config: McpServerConfig;
  readonly #options: ConnectionOptions;
  readonly #hide: (text: string) => string;
  readonly #onListed: (tools: ListedTool[], isOld: boolean) => void;
  readonly #auth: AuthProvider | null;
  readonly #stopping = new AbortController();
  #state: State = { is: 'closed' };
  /** Failed attempts since it was last connected. */
  #failures = 0;
  /** Why it broke or could not be opened; null: it has not. */
  #reason: string | null = null;
  /** The server's demand for a sign-in, and when it was made; null: it made none when it was last asked. */
  #demand: { readonly needed: SignInNeeded; readonly at: number } | null = null;
  #isOld: boolean;
  /** Unusable tools of the last list, and of the list that is being received. */
  #leftOut: LeftOut[] = [];
  #leaving: LeftOut[] = [];

  /**
   * Opens nothing. `onListed` gets the server's tools at each connection and when they change; `hide` masks its secrets.
   */
  constructor(
    config: McpServerConfig,
    options: ConnectionOptions,
    hide: (text: string) => string,
    onListed: (tools: ListedTool[], isOld: boolean) => void,
  ) {
    this.#config = config;
    this.#options = options;
    this.#hide = hide;
    this.#onListed = onListed;
    this.#isOld = options.isOld ?? false;
    this.#auth = mayHaveSignIns(config) ? authProvider(options.tokens ?? null) : null;
  }

  /** The live connection, opened if there is none. Rejects while a failed attempt waits for its retry. */
  async open(): Promise<Link> {
    this.#stopping.signal.throwIfAborted();
    const { tokens } = this.#options;
    const demand = this.#demand;
    switch (this.#state.is) {
      case 'connected':
      case 'connecting':
        return this.#state.link;
      case 'waiting':
        throw new Error(this.#reason ?? '');
      case 'closed': {
        if (tokens === undefined && demand !== null && performance.now() - demand.at < SIGN_IN_BELIEVED_MS)
          throw demand.needed;
        const link = this.#connect();
        this.#state = { is: 'connecting', link };
        return link;
      }
    }
  }

  /**
   * Gives up a broken connection, so that the next call opens another. Closes nothing: other calls may still get
   * their results.
   */
  drop(link: Link, why: string): void {
    if (!this.#isLive(link)) return;
    this.#state = { is: 'closed' };
    this.#reason = this.#hide(why);
    this.#options.log.warn({ reason: this.#reason }, 'the MCP server disconnected; its next call connects again');
  }

  /** A call is in progress on it, or waits for its user. */
  isBusy(): boolean {
    return this.#state.is === 'connected' && [...this.#state.link.calls].some(({ isOver }) => !isOver);
  }

  /** The challenge with which the server last demanded a sign-in. */
  challenge(): Challenge {
    return this.#demand?.needed.challenge ?? {};
  }

  /** The current state. Never contains a secret. */
  state(): Omit<McpServerState, 'name'> {
    if (this.#state.is === 'connected') {
      const lacks = this.#leftOut.map(({ tool, reason }) => `${tool}: ${reason}`).join('; ');
      return { state: 'connected', reason: lacks === '' ? null : plainLine(lacks, LACKS_CHARS_MAX) };
    }
    if (this.#demand !== null) return { state: 'sign_in', reason: 'each of its users has to sign in' };
    return { state: this.#reason === null ? 'connecting' : 'failed', reason: this.#reason };
  }

  async close(): Promise<void> {
    this.#stopping.abort(new Error('the service is stopping'));
    const last = this.#state;
    this.#state = { is: 'closed' };
    if (last.is === 'connected') await last.link.client.close().catch(() => undefined);
  }

  #isLive(link: Link): boolean {
    return this.#state.is === 'connected' && this.#state.link === link;
  }

  /** Tries the protocol that was used last, then the other one if the server may use it. */
  async #connect(): Promise<Link> {
    let attempt = await this.#attempt();
    const isOther = !attempt.ok && this.#demandIn(attempt.error) === null && this.#switchProtocol();
    if (isOther && attempt.link.fault === null) {
      attempt = await this.#attempt();
      if (!attempt.ok && this.#demandIn(attempt.error) === null) this.#switchProtocol();
    }
    if (attempt.ok) return this.#connected(attempt.link);
    throw this.#refused(attempt.link, attempt.error);
  }

  /** Connects once and lists the tools. Closes what it opened if that fails or the service stops. */
  async #attempt(): Promise<Attempt> {
    const { version, cwd, log, tokens } = this.#options;
    const { signal } = this.#stopping;
    // An owner's connection is short: the next one reads the list anew.
    const onTools = (tools: ListedTool[]): void => {
      if (this.#isLive(link)) this.#learn(withReading(client, tools));
    };
    const client = createClient(version, tokens === undefined ? onTools : null);
    const link: Link = { client, fault: null, calls: new Set() };
    client.setRequestHandler('elicitation/create', ({ params }, { mcpReq }) => elicited(link, params, mcpReq.signal));
    client.onerror = (error) => {
      if (isTooLarge(error)) link.fault = TOO_LARGE;
      log.debug({ reason: reasonOf(error, this.#hide) }, 'an MCP connection had an error');
    };
    client.onclose = () => this.drop(link, link.fault ?? 'the connection was closed');
    const onStderr = (text: string): void =>
      log.debug({ stderr: plainLine(this.#hide(text), STDERR_CHARS_MAX) }, 'the MCP server wrote');
    try {
      const prior = this.#isOld ? ({ prior: { kind: 'legacy' } } as const) : {};
      const transport = createTransport(this.#config, { cwd, onStderr, auth: this.#auth });
      await client.connect(transport, { ...this.#patience, ...prior });
      this.#isOld = client.getProtocolEra() === 'legacy';
      this.#leaving = [];
      readOddResults(client.transport, ({ tool, reason }) =>
        this.#leaving.push({ tool: this.#hide(tool), reason: this.#hide(reason) }),
      );
      await this.#list(client);
      signal.throwIfAborted();
      return { ok: true, link };
    } catch (error) {
      await client.close().catch(() => undefined);
      signal.throwIfAborted();
      return { ok: false, link, error };
    }
  }

  #demandIn(error: unknown): SignInNeeded | null {
    return this.#auth === null ? null : signInNeeded(error);
  }

  /**
   * Tries the other protocol next, if the server may use it, and says whether it may: a program may exit at the question
   * which protocol it uses, and a server may have learned the newer one by now.
   */
  #switchProtocol(): boolean {
    const mayBeOther = this.#isOld || 'command' in this.#config;
    this.#isOld = !this.#isOld && mayBeOther;
    return mayBeOther;
  }

  #connected(link: Link): Link {
    this.#state = { is: 'connected', link };
    this.#failures = 0;
    this.#reason = null;
    this.#demand = null;
    this.#options.log.info({ protocol: link.client.getNegotiatedProtocolVersion() }, 'connected to the MCP server');
    this.#watch(link).catch((error) => this.drop(link, reasonOf(error, this.#hide)));
    return link;
  }

  /** Makes the error of a call that could not be connected. Begins the pause before the next attempt, unless a user has to sign in first. */
  #refused(link: Link, error: unknown): Error {
    const { log, tokens } = this.#options;
    this.#state = { is: 'closed' };
    const needed = this.#demandIn(error);
    if (needed !== null) {
      this.#demand = { needed, at: performance.now() };
      log.info('the MCP server wants its users to sign in');
      return needed;
    }
    this.#failures += 1;
    this.#reason = link.fault ?? reasonOf(error, this.#hide);
    if (tokens === undefined) {
      const level = this.#failures === 1 ? 'warn' : 'debug';
      log[level]({ reason: this.#reason }, 'the MCP server cannot be reached; retrying');
      void this.#tryAgainLater();
    }
    return new Error(this.#reason);
  }

  async #tryAgainLater(): Promise<void> {
    const { signal } = this.#stopping;
    this.#state = { is: 'waiting' };
    const pause = backoffMs(this.#options.backoff ?? CONNECT_BACKOFF, this.#failures);
    await wait(pause, undefined, { signal, ref: false }).catch(() => undefined);
    this.#state = { is: 'closed' };
    if (!signal.aborted) await this.open().catch(() => undefined);
  }

  async #list(client: Client): Promise<void> {
    const { tools } = await client.listTools(undefined, { ...this.#patience, cacheMode: 'refresh' });
    this.#learn(withReading(client, tools));
  }

  #learn(tools: ListedTool[]): void {
    this.#leftOut = this.#leaving;
    this.#leaving = [];
    if (this.#leftOut.length > 0)
      this.#options.log.warn({ tools: this.#leftOut }, 'tools of the MCP server are left out: they cannot be used');
    this.#onListed(tools, this.#isOld);
  }

  /** Lists the tools again when the stream of changes ends: the server may have been replaced by one with other tools. */
  async #watch(link: Link): Promise<void> {
    const ending = await link.client.autoOpenedSubscription?.closed;
    if (ending === undefined || ending === 'local' || !this.#isLive(link)) return;
    await this.#list(link.client);
  }

  get #patience() {
    return { timeout: CONNECT_TIMEOUT_MS, signal: this.#stopping.signal };
  }
}
