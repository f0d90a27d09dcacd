import { z } from 'zod';
import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import { createGuardedFetch, FetchRefused, literalOf } from '../guarded-fetch.ts';
import type { SearchOutcome, SearchProvider } from './port.ts';

/** Longest wait for SearXNG, in milliseconds: it gives up on its own engines long before. */
export const SEARXNG_TIMEOUT_MS = 20_000;

/** Largest answer read, in bytes: a page of results is some 50 KB, and what is read is parsed as a whole. */
export const SEARXNG_BYTES_MAX = 512 * 1024;

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
  /** Milliseconds; default `SEARXNG_TIMEOUT_MS`. */
  timeoutMs?: number;
}

type Texts = Messages['search']['searxng'];

const failed = (texts: Texts, reason: string): SearchOutcome => ({ ok: false, reason: texts.failed(reason) });

const statusText = (status: number, texts: Texts): string => {
  if (status === 403) return texts.jsonRefused;
  return status === 429 ? texts.rateLimited : texts.status(status);
};

const parsedJson = (body: string): unknown => {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
};

const readAnswer = (body: string, texts: Texts): SearchOutcome => {
  const answer = SearxngAnswer.safeParse(parsedJson(body));
  if (!answer.success) return failed(texts, texts.notSearchJson);
  const results = answer.data.results.map(({ title, content, url }) => ({ title, summary: content, url }));
  const silent = answer.data.unresponsive_engines.map((engine) => engine.join(': ')).slice(0, 5);
  if (results.length === 0 && silent.length > 0) return failed(texts, texts.silentEngines(silent));
  return { ok: true, results };
};

/** Searches through a SearXNG instance's JSON API. It never follows a redirect to another host. */
export const createSearxngProvider = (options: SearxngOptions): SearchProvider => {
  const { baseUrl, timeoutMs = SEARXNG_TIMEOUT_MS } = options;
  const endpoint = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);

  // Redirects within the configured host are followed, such as `/search` to `/search/`.
  const fetch = createGuardedFetch({
    isTrusted: ({ hostname, port }) =>
      hostname === (literalOf(endpoint) ?? endpoint.hostname) && port === endpoint.port,
    mayReach: () => false,
    bytesMax: SEARXNG_BYTES_MAX,
    timeoutMs,
  });

  const ask = async (query: string, texts: Texts, signal: AbortSignal): Promise<SearchOutcome> => {
    const url = new URL(endpoint);
    url.searchParams.set('q', query);
    url.searchParams.set('format', 'json');
    const response = await fetch(url, { headers: { accept: 'application/json' }, signal });
    if (response.ok) return readAnswer(await response.text(), texts);
    await response.body?.cancel();
    return failed(texts, statusText(response.status, texts));
  };

  return {
    name: 'searxng',
    async search(query, { signal, language }) {
      const texts = messages(language).search.searxng;
      try {
        return await ask(query, texts, signal);
      } catch (error) {
        signal.throwIfAborted();
        if (error instanceof FetchRefused) return failed(texts, texts.otherHost);
        if (error instanceof Error && error.name === 'TimeoutError')
          return failed(texts, texts.timedOut(timeoutMs / 1000));
        const cause = error instanceof Error ? (error.cause ?? error) : error;
        const detail =
          cause instanceof Error ? String((cause as NodeJS.ErrnoException).code ?? cause.message) : texts.noAnswer;
        return failed(texts, texts.unreachable(endpoint.host, detail));
      }
    },
  };
};
