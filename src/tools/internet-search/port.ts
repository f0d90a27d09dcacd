import type { Language } from '../../../contracts/text.ts';

/** One hit as a provider gives it: untrusted text that may still hold markup. */
export interface SearchResult {
  title: string;
  summary: string;
  url: string;
}

/** Why a search brought nothing and what to do about it, in the user's language. */
export class SearchFault extends Error {
  override name = 'SearchFault';
}

/** A source of web searches. */
export interface WebSearch {
  readonly name: string;
  /** Longest wait for it, in milliseconds. */
  readonly timeoutMs: number;
  /** Hits in the provider's order, best first. Rejects with a `SearchFault`, and when `signal` aborts. */
  search(query: string, signal: AbortSignal, language: Language): Promise<SearchResult[]>;
}
