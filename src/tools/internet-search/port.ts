import type { Language } from '../../../contracts/text.ts';

/** One hit as a provider gives it: untrusted text that may still hold markup. */
export interface SearchResult {
  title: string;
  summary: string;
  url: string;
}

/** Hits in the provider's order, best first, or why there are none and what to do about it. */
export type SearchOutcome = { ok: true; results: SearchResult[] } | { ok: false; reason: string };

/** Whose search it is: `language` is that of the reasons, and `signal` ends it. */
export interface SearchCall {
  signal: AbortSignal;
  language: Language;
}

/** A source of web search results. It keeps its own deadline. */
export interface SearchProvider {
  readonly name: string;
  /** Gives faults as an outcome and never throws them; rejects only when `call.signal` aborts. */
  search(query: string, call: SearchCall): Promise<SearchOutcome>;
}
