import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionLost } from './connection-lost.ts';

/** Tries to reach a service again that was reached before, and the pause before each, in milliseconds: a restart fits in. */
export const RECONNECTS_MAX = 30;
export const RECONNECT_MS = 500;

/** What was tried for one request so far. */
export interface Tries {
  /** The service has begun to answer it. */
  wasReached: boolean;
  /** Times that it was asked in vain since. */
  inVain: number;
}

/** Where the service is that a command talks to, which may change while it does. */
export interface Connection {
  /** Its address, without a slash at the end. */
  base(): string;
  /** A key that it gave to this command; null where it gave none. */
  key(): string | null;
  /** Resolves when it is worth asking again after `lost`; rejects, with `lost` or what stands in the way, when it is not. */
  restore(lost: ConnectionLost, tries: Tries, signal?: AbortSignal): Promise<void>;
}

/** Waits before a service is asked again; rejects with `lost` after enough tries. */
export const waitToRetry = async (lost: ConnectionLost, { inVain }: Tries, signal?: AbortSignal): Promise<void> => {
  if (inVain >= RECONNECTS_MAX) throw lost;
  await pause(RECONNECT_MS, undefined, { ...(signal !== undefined && { signal }) });
};

export const withoutSlash = (url: string): string => url.replace(/(?<!\/)\/+$/, '');

/** The service at an address: once it has answered, a restart of it is waited for. */
export const connectTo = (url: string): Connection => ({
  base: () => withoutSlash(url),
  key: () => null,
  restore: async (lost, tries, signal) => {
    if (!tries.wasReached) throw lost;
    await waitToRetry(lost, tries, signal);
  },
});
