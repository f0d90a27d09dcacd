import { type Language, plainLine } from '../../../contracts/text.ts';
import { afterName, toolTexts, withoutQuotes } from '../command-line.ts';
import type { OutsideTool } from '../port.ts';
import { searchMessages } from './messages.ts';

/** One hit from a provider: untrusted text that may still contain markup. */
export interface SearchResult {
  title: string;
  summary: string;
  url: string;
}

/** Why a search found nothing and what to do about it, in the user's language. */
export class SearchFault extends Error {
  override name = 'SearchFault';
}

export interface WebSearch {
  readonly name: string;
  /** Longest wait for it, in milliseconds. */
  readonly timeoutMs: number;
  /** Hits in the provider's order, best first. Rejects with a `SearchFault`, and when `signal` aborts. */
  search(query: string, signal: AbortSignal, language: Language): Promise<SearchResult[]>;
}

/** Longest query in characters; a longer one is cut, as search engines cut or refuse it. */
const QUERY_CHARS_MAX = 400;

const NAME = 'internet_search';

/** The query in a tool input: without the tool's name in front, and without quotes around all of it. */
const queryOf = (input: string): string => plainLine(withoutQuotes(afterName(input, NAME).trim()), QUERY_CHARS_MAX);

/** Results that one search returns (SPEC 8). */
const RESULTS_SHOWN = 3;

/** Longest title shown, in characters: a headline, not a page. */
export const TITLE_CHARS_MAX = 200;

/** Longest summary shown, in characters: three of them leave room in a prompt for the rest of the work. */
export const SUMMARY_CHARS_MAX = 800;

/** Longest URL shown, in characters. A longer one drops its result, as a cut URL would lead nowhere. */
export const URL_CHARS_MAX = 1_000;

/** A snippet without tags, by which engines mark the words that they found. */
const withoutTags = (snippet: string): string => snippet.replace(/<\/?[a-z][^<>]*>/gi, '');

const webAddress = (text: string): string | null => {
  const url = text.length <= URL_CHARS_MAX ? URL.parse(text) : null;
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= URL_CHARS_MAX ? url.href : null;
};

/** The first `RESULTS_SHOWN` results as numbered title, summary and URL, each address once. */
export const readableResults = (query: string, results: readonly SearchResult[], language: Language): string => {
  const texts = searchMessages(language);
  const shown = new Map<string, string>();
  for (const result of results) {
    const url = webAddress(result.url);
    if (url === null || shown.has(url)) continue;
    const title = plainLine(withoutTags(result.title), TITLE_CHARS_MAX) || url;
    const summary = plainLine(withoutTags(result.summary), SUMMARY_CHARS_MAX) || texts.noSummary;
    shown.set(url, `${shown.size + 1}. ${title}\n   ${summary}\n   ${url}`);
    if (shown.size === RESULTS_SHOWN) break;
  }
  return shown.size === 0 ? texts.nothingFound(query) : [...shown.values()].join('\n\n');
};

/**
 * The `internet_search` tool (SPEC 8): returns the results of its first source that works. Never fetches the pages that
 * it found.
 */
export const createInternetSearchTool = (sources: readonly WebSearch[]): OutsideTool => ({
  name: NAME,
  ...toolTexts(searchMessages),
  effect: 'idempotent',
  writes: false,
  source: 'untrusted',
  async checkInput(input, language) {
    const { missingQuery, usage } = searchMessages(language);
    return queryOf(input) === '' ? missingQuery(usage) : null;
  },
  async run(input, call) {
    const texts = searchMessages(call.language);
    const query = queryOf(input);
    if (query === '') return { ok: false, result: texts.missingQuery(texts.usage) };
    if (sources.length === 0) return { ok: false, result: texts.notConfigured };
    const reasons: string[] = [];
    for (const { name, timeoutMs, search } of sources) {
      const deadline = AbortSignal.timeout(timeoutMs);
      try {
        const results = await search(query, AbortSignal.any([call.signal, deadline]), call.language);
        return { ok: true, result: readableResults(query, results, call.language) };
      } catch (error) {
        call.signal.throwIfAborted();
        const reason = deadline.aborted ? texts.timedOut(timeoutMs / 1_000) : (error as Error).message;
        reasons.push(texts.fault(name, reason));
      }
    }
    return { ok: false, result: reasons.join('\n') };
  },
});
