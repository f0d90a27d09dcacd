import { messages } from '../../../contracts/messages/messages.ts';
import type { Language } from '../../../contracts/text.ts';
import { toolTexts } from '../command-line.ts';
import type { OutsideTool } from '../port.ts';
import type { SearchProvider } from './port.ts';
import { readableResults } from './readable-results.ts';

/** Longest query, in characters: search engines cut or refuse longer ones, and a longer one is no query. */
export const QUERY_CHARS_MAX = 400;

const NAME = 'internet_search';

const quotePairs = ['""', "''", '“”', '‘’', '「」', '《》'];

/** The query in a tool input: without the tool's name in front, and without one pair of quotes around all of it. */
const queryOf = (input: string): string => {
  const words = input
    .trim()
    .replace(/^\/?internet_search(?=[\s:]|$):?/i, '')
    .trim();
  const inner = words.slice(1, -1);
  const isQuoted = quotePairs.some(
    (pair) => words.length > 1 && words.at(0) === pair[0] && words.at(-1) === pair[1] && !inner.includes(pair[0] ?? ''),
  );
  return isQuoted ? inner.trim() : words;
};

const help = (language: Language) => ({
  summary: messages(language).commands.summaries.internet_search,
  usage: messages(language).search.usage,
});

/**
 * The `internet_search` tool (SPEC 8): asks the providers in their order and gives the first outcome that is none of
 * their faults. It never fetches the pages it found. Rejects when `call.signal` aborts.
 */
export const createInternetSearchTool = ({ providers }: { providers: readonly SearchProvider[] }): OutsideTool => ({
  name: NAME,
  ...toolTexts(help),
  effect: 'idempotent',
  writes: false,
  async run(input, call) {
    const texts = messages(call.language).search;
    const query = queryOf(input);
    if (query === '') return { ok: false, result: texts.missingQuery(texts.usage) };
    if (query.length > QUERY_CHARS_MAX) return { ok: false, result: texts.queryTooLong(QUERY_CHARS_MAX, texts.usage) };
    if (providers.length === 0) return { ok: false, result: texts.notConfigured };
    const reasons: string[] = [];
    for (const provider of providers) {
      call.signal.throwIfAborted();
      const outcome = await provider.search(query, call);
      if (outcome.ok) return { ok: true, result: readableResults(query, outcome.results, call.language) };
      reasons.push(outcome.reason);
    }
    return { ok: false, result: reasons.join('\n') };
  },
});
