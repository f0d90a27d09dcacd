import { z } from 'zod';
import { tlsFault } from '../../lib/errors.ts';
import { madeOnce } from '../../lib/once.ts';
import { SearchFault, type WebSearch } from './internet-search.ts';
import { searchMessages } from './messages.ts';

/** Longest wait for SearXNG, in milliseconds: it gives up on its own engines long before. */
const SEARXNG_TIMEOUT_MS = 20_000;

/** Largest response read, in bytes. A page of results is about 50 KB, and the response is parsed as a whole. */
export const SEARXNG_BYTES_MAX = 512 * 1024;

const text = z
  .string()
  .nullish()
  .transform((value) => value ?? '');

const SearxngAnswer = z.object({
  results: z.array(z.object({ title: text, content: text, url: text })),
  /** Pairs of an engine and why it returned nothing. */
  unresponsive_engines: z.array(z.array(z.string())).catch([]),
});

/** Searches by a SearXNG instance's JSON API, at the address that the operator configured; loopback is allowed. */
export const createSearxngSearch = (baseUrl: string): WebSearch => {
  const endpoint = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  // Loaded with the first search.
  const opened = madeOnce(async () => {
    const { Agent, fetch } = await import('undici');
    return { fetch, dispatcher: new Agent({ maxResponseSize: SEARXNG_BYTES_MAX }) };
  });
  return {
    name: 'SearXNG',
    timeoutMs: SEARXNG_TIMEOUT_MS,
    search: async (query, signal, language) => {
      const texts = searchMessages(language).searxng;
      const url = new URL(`?${new URLSearchParams({ q: query, format: 'json' })}`, endpoint);
      const { fetch, dispatcher } = await opened();
      const asked = fetch(url, { headers: { accept: 'application/json' }, signal, dispatcher });
      const response = await asked.catch(({ cause }: Error) => {
        const { code, message } = Object(cause);
        throw new SearchFault(texts.unreachable(endpoint.host, tlsFault(cause) ?? code ?? message));
      });
      // A response that breaks off or is too large is not JSON either.
      const json = await response.json().catch(() => undefined);
      if (!response.ok) throw new SearchFault(texts.refused(response.status));
      const { data } = SearxngAnswer.safeParse(json);
      if (data === undefined) throw new SearchFault(texts.notSearchJson);
      const silent = data.unresponsive_engines.map((engine) => engine.join(': ')).slice(0, 5);
      if (data.results.length === 0 && silent.length > 0) throw new SearchFault(texts.silentEngines(silent));
      return data.results.map(({ title, content, url }) => ({ title, summary: content, url }));
    },
  };
};
