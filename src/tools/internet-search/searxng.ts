import { z } from 'zod';
import { byteLimit } from '../guarded-fetch.ts';
import type { SearchOutcome, SearchProvider } from './port.ts';

/** Longest wait for SearXNG, in milliseconds: it gives up on its own engines long before. */
export const SEARXNG_TIMEOUT_MS = 20_000;

/** Largest answer read, in bytes: a page of results is some 50 KB. */
export const SEARXNG_BYTES_MAX = 2 * 1024 * 1024;

/** Redirects followed within the configured host, such as `/search` to `/search/`. */
const SEARXNG_REDIRECTS_MAX = 3;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const SearxngAnswer = z.object({
  results: z.array(z.object({ title: text, content: text, url: text })),
  /** Pairs of an engine and why it gave nothing. */
  unresponsive_engines: z.array(z.array(z.string())).catch([]),
});

export interface SearxngOptions {
  /** The instance's address, as the operator configured it: trusted, and loopback is fine. */
  baseUrl: string;
  /** Default the global `fetch`. */
  fetch?: typeof globalThis.fetch;
  /** Milliseconds; default `SEARXNG_TIMEOUT_MS`. */
  timeoutMs?: number;
}

const failed = (reason: string): SearchOutcome => ({ ok: false, reason: `SearXNG: ${reason}` });

const faultOf = (status: number): string => {
  if (status === 403) return 'it refuses the json format (403). Add "json" to search.formats in its settings.yml.';
  if (status === 429) return 'it limits how often it may be asked (429). Turn off server.limiter in its settings.yml.';
  return `it answered with status ${status}. Check TRIPACT_SEARXNG_URL and the instance.`;
};

const parsedJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const readAnswer = (body: string): SearchOutcome => {
  const answer = SearxngAnswer.safeParse(parsedJson(body));
  if (!answer.success) return failed('its answer is not the search JSON. Check that TRIPACT_SEARXNG_URL is a SearXNG.');
  const results = answer.data.results.map(({ title, content, url }) => ({ title, summary: content, url }));
  const silent = answer.data.unresponsive_engines.map((engine) => engine.join(': ')).slice(0, 5);
  if (results.length === 0 && silent.length > 0)
    return failed(`its search engines gave nothing (${silent.join('; ')}).`);
  return { ok: true, results };
};

/** Searches through a SearXNG instance's JSON API. It never follows a redirect to another host. */
export const createSearxngProvider = (options: SearxngOptions): SearchProvider => {
  const { baseUrl, fetch = globalThis.fetch, timeoutMs = SEARXNG_TIMEOUT_MS } = options;
  const endpoint = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);

  const ask = async (query: string, signal: AbortSignal): Promise<SearchOutcome> => {
    let url = new URL(endpoint);
    url.searchParams.set('q', query);
    url.searchParams.set('format', 'json');
    for (let redirects = 0; redirects <= SEARXNG_REDIRECTS_MAX; redirects += 1) {
      const response = await fetch(url, { headers: { accept: 'application/json' }, redirect: 'manual', signal });
      const location = response.headers.get('location');
      if (response.ok && response.body !== null)
        return readAnswer(await new Response(response.body.pipeThrough(byteLimit(SEARXNG_BYTES_MAX))).text());
      await response.body?.cancel();
      if (response.status < 300 || response.status > 399 || location === null) return failed(faultOf(response.status));
      const target = URL.parse(location, url.href);
      if (target?.host !== endpoint.host)
        return failed('it redirects to another host. Set TRIPACT_SEARXNG_URL to the address where it really is.');
      url = target;
    }
    return failed('it redirects in a circle. Check TRIPACT_SEARXNG_URL.');
  };

  return {
    name: 'searxng',
    async search(query, signal) {
      try {
        return await ask(query, AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]));
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof Error && error.name === 'TimeoutError')
          return failed(`it gave no answer within ${timeoutMs / 1000} s.`);
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        const detail = cause instanceof Error ? ('code' in cause ? String(cause.code) : cause.message) : 'no answer';
        return failed(`${endpoint.host} could not be reached (${detail}). Check TRIPACT_SEARXNG_URL and that it runs.`);
      }
    },
  };
};
