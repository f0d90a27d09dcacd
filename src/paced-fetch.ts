import { loadFiles } from './event-loop/load-files.ts';
import { madeOnce } from './lib/once.ts';

/** Carries out requests as global `fetch` does. */
export type Fetch = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Loads the HTTP client a few files in each turn of the event loop: in one piece it takes 60 ms. Never rejects: what can't be loaded is reported by its import. */
export const loadHttpClient = madeOnce(() => loadFiles('undici').catch(() => {}));

/**
 * Makes what does what global `fetch` does, on connections of its own of which little is read at once: 64 KiB may be 10,000 chunks of a byte, or trailers
 * that take as long. Its library is loaded with the first request.
 */
export const createPacedFetch = (): Fetch => {
  const loaded = madeOnce(async () => {
    await loadHttpClient();
    const { fetch } = await import('undici');
    const { createPacedAgent } = await import('./paced-connector.ts');
    const dispatcher = createPacedAgent();
    return ((url, init) => fetch(url, { ...(init as object), dispatcher })) as Fetch;
  });
  return async (url, init) => (await loaded())(url, init);
};
