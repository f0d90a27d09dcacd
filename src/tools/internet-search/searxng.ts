import { z } from 'zod';
import { tlsFault } from '../../lib/errors.ts';
import { searchMessages } from './messages.ts';
import type { SearchOutcome, WebSearch } from './port.ts';

/** Longest wait for SearXNG, in milliseconds: it gives up on its own engines long before. */
const SEARXNG_TIMEOUT_MS = 20_000;

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

type Texts = ReturnType<typeof searchMessages>['searxng'];

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

/** The whole answer as text; rejects once it is longer than `SEARXNG_BYTES_MAX`. */
const readText = async ({ body }: Response): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of body ?? []) {
    bytes += chunk.length;
    if (bytes > SEARXNG_BYTES_MAX) throw new Error(`The answer is longer than ${SEARXNG_BYTES_MAX} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** Makes a search through a SearXNG instance's JSON API, at the address that the operator configured: loopback is fine. */
export const createSearxngSearch = (baseUrl: string, timeoutMs: number = SEARXNG_TIMEOUT_MS): WebSearch => {
  const endpoint = new URL('search', baseUrl.endsWith('/') ? baseUrl : `${baseUrl}/`);
  return async (query, { signal, language }) => {
    const texts = searchMessages(language).searxng;
    const deadline = AbortSignal.timeout(timeoutMs);
    const url = new URL(endpoint);
    url.searchParams.set('q', query);
    url.searchParams.set('format', 'json');
    try {
      const init = { headers: { accept: 'application/json' }, signal: AbortSignal.any([signal, deadline]) };
      const response = await fetch(url, init);
      if (response.ok) return readAnswer(await readText(response), texts);
      await response.body?.cancel();
      return failed(texts, statusText(response.status, texts));
    } catch (error) {
      signal.throwIfAborted();
      if (deadline.aborted) return failed(texts, texts.timedOut(timeoutMs / 1000));
      const { cause = error } = error as Error;
      const { code, message } = cause as NodeJS.ErrnoException;
      return failed(texts, texts.unreachable(endpoint.host, tlsFault(cause) ?? code ?? message));
    }
  };
};
