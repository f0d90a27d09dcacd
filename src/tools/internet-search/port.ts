import type { Language } from '../../../contracts/text.ts';

/** One hit as a provider gives it: untrusted text that may still hold markup. */
export interface SearchResult {
  title: string;
  summary: string;
  url: string;
}

/** Hits in the provider's order, best first, or why there are none and what to do about it. */
export type SearchOutcome = { ok: true; results: SearchResult[] } | { ok: false; reason: string };

/** Searches the web by one source within its own deadline. Faults are outcomes, in `language`; rejects only when `signal` aborts. */
export type WebSearch = (query: string, call: { signal: AbortSignal; language: Language }) => Promise<SearchOutcome>;
