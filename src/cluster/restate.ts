import { once } from 'node:events';
import { createServer } from 'node:http2';
import { setTimeout as pause } from 'node:timers/promises';
import { createEndpointHandler, handlers, type ObjectContext, object } from '@restatedev/restate-sdk/node';
import type { Logger } from 'pino';
import { backoffMs } from '../lib/backoff.ts';
import { ServiceError } from '../lib/errors.ts';
import { SERVICE_HOME } from '../store/port.ts';
import type { Home, LocalNode } from './port.ts';

/** Where Restate is, and where it reaches the nodes: settings with the same names. */
export interface RestateSettings {
  host: string;
  restateUrl: string | null;
  restateAdminUrl: string;
  restateEndpointUrl: string | null;
  restatePort: number;
  restateIdentityKey: string | null;
}

/** Longest wait for an answer from Restate, in milliseconds. */
const ASK_MS = 5_000;

/** How often an owner's new home is looked up, and how the pauses grow: 5 s in all. */
const LOOKS_MAX = 14;
const LOOK_PAUSES = { firstMs: 20, maxMs: 500 };

/** Homes on one connection. Restate opens more connections for more homes, so a load balancer spreads them. */
const HOMES_PER_CONNECTION = 4;

/** The object of the service's own home. A key cannot be empty, and no owner has this name. */
const SERVICE_KEY = '*';

/**
 * An invocation lasts as long as a home. Nothing is kept of ended ones: the next sweep wakes owners that still have
 * work.
 */
const OPTIONS = {
  inactivityTimeout: { days: 30 },
  abortTimeout: { minutes: 1 },
  journalRetention: 0,
  idempotencyRetention: 0,
  enableLazyState: true,
  retryPolicy: { initialInterval: 100, maxInterval: 5_000, maxAttempts: 20, onMaxAttempts: 'kill' },
} as const;

/** Sends a request to Restate. Rejects unless the status is 2xx or `also`. */
const ask = async (base: string | null, path: string, init?: RequestInit, also?: number): Promise<number> => {
  const url = new URL(path, base ?? undefined);
  const response = await fetch(url, { ...init, signal: AbortSignal.timeout(ASK_MS) }).catch((cause: unknown) => {
    throw new Error(`Restate cannot be reached at ${url.href}`, { cause });
  });
  await response.body?.cancel();
  if (response.ok || response.status === also) return response.status;
  throw new Error(`Restate answered ${response.status} at ${url.href}`);
};

/**
 * Has Restate assign homes: an owner is a virtual object whose single invocation lasts as long as the home.
 * `CONFIG_INVALID` if Restate cannot be reached.
 */
export const openRestate = async (settings: RestateSettings, node: LocalNode, log: Logger) => {
  const { host, restateUrl, restateAdminUrl, restateEndpointUrl: uri, restatePort: port } = settings;
  const home = async (ctx: ObjectContext): Promise<void> => {
    // An attempt that Restate gave up still starts when its frozen node wakes, and gets no answer here. So each attempt
    // asks anew: the result of an earlier one is not replayed.
    let isCurrent = false;
    while (!isCurrent)
      await ctx.run('current', () => {
        isCurrent = true;
      });
    const owner = ctx.key === SERVICE_KEY ? SERVICE_HOME : ctx.key;
    if ((await node.claim(owner)).kind === 'there') throw new Error('Another node that is alive is the home');
    await node.homeEnded(owner);
  };
  const endpoint = createEndpointHandler({
    services: [object({ name: 'owner', handlers: { home: handlers.object.exclusive(home) }, options: OPTIONS })],
    ...(settings.restateIdentityKey !== null && { identityKeys: [settings.restateIdentityKey] }),
    logger: ({ level }, ...said) => log.debug({ restate: level }, said.map(String).join(' ')),
  });
  const server = createServer({ settings: { maxConcurrentStreams: HOMES_PER_CONNECTION } }, endpoint);
  server.on('session', (session) => session.unref());
  const register = async (): Promise<void> => {
    if (uri === null) throw new Error('Restate does not know the nodes: "restate deployments register" them');
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ uri, force: true });
    await ask(restateAdminUrl, '/deployments', { method: 'POST', headers, body });
  };
  try {
    await ask(restateUrl, '/restate/health');
    await once(server.listen(port, host), 'listening');
  } catch (cause) {
    throw new ServiceError('CONFIG_INVALID', `TRIPACT_SCHEDULER=restate: ${(cause as Error).message}`, { cause });
  }
  // Not awaited: Restate calls the nodes back, and a load balancer may know none yet.
  if (uri !== null)
    register().catch((err: unknown) => log.warn({ err }, 'registering with Restate failed; trying again later'));

  /** Makes a node become the home, once a fence: a repetition joins the one in progress. */
  const wake = async (owner: string, fence: number): Promise<void> => {
    const path = `/owner/${encodeURIComponent(owner || SERVICE_KEY)}/home/send`;
    const init = { method: 'POST', headers: { 'idempotency-key': String(fence) } };
    if ((await ask(restateUrl, path, init, 404)) !== 404) return;
    await register();
    await ask(restateUrl, path, init);
  };
  return {
    find: async (owner: string): Promise<Home> => {
      let asked: number | undefined;
      for (let looks = 1; looks <= LOOKS_MAX; looks += 1) {
        const found = await node.look(owner);
        if (typeof found !== 'number') return found;
        if (found !== asked) await wake(owner, found);
        asked = found;
        await pause(backoffMs(LOOK_PAUSES, looks));
      }
      throw new Error('No node has become the home');
    },
    stop: () => void server.close(),
  };
};

export type Restate = Awaited<ReturnType<typeof openRestate>>;
