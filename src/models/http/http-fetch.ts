import type { Dispatcher } from 'undici';
import { createPacedAgent } from '../../paced-connector.ts';
import { IDLE_MS_MAX } from './limits.ts';
import { Receiver } from './receiver.ts';

/** The part of a deadline after which silence is a stall: so that even under a short deadline there is a second try. */
const IDLE_PART = 1 / 4;

/** Longest silence inside a response under a deadline for the whole answer; both in milliseconds. */
export const idleMsUnder = (timeoutMs: number): number => Math.min(IDLE_MS_MAX, timeoutMs * IDLE_PART);

/**
 * A `fetch` for the SDK, on connections of its own that are kept alive: as many as there are calls at once. Breaks off a
 * response whose body is silent for `idleMs` milliseconds or endless; reading the body then throws. It never limits the wait for
 * the headers, which without streaming come when the whole answer is made: that is for `init.signal`. It follows no redirect,
 * and takes only what the SDK gives: an address, a body of text or bytes, and `Headers`. A body that is no event stream is here as a whole
 * before its response is given.
 */
export const createHttpFetch = (idleMs: number): typeof fetch => {
  const agent = createPacedAgent({ headersTimeout: 0, bodyTimeout: 0 });
  /** The newest address, taken apart: it is mostly the same one. */
  let newest = { address: '', origin: '', path: '' };
  const takenApart = (address: string): typeof newest => {
    if (newest.address !== address) {
      const { origin, pathname, search } = new URL(address);
      newest = { address, origin, path: pathname + search };
    }
    return newest;
  };
  return (input, init = {}) =>
    new Promise((resolve, reject) => {
      const { origin, path } = takenApart(input instanceof Request ? input.url : String(input));
      const request: Dispatcher.DispatchOptions = {
        origin,
        path,
        method: (init.method ?? 'GET') as Dispatcher.HttpMethod,
        headers: init.headers as Headers,
        body: (init.body ?? null) as string | Uint8Array | null,
      };
      agent.dispatch(request, new Receiver({ idleMs, signal: init.signal ?? null, resolve, reject }));
    });
};
