import type { SessionView } from '../../../contracts/http.ts';
import { type RequestOptions, request } from './request.ts';
import { PAGE_MAX } from './routes.ts';

/** The title of a session, or its id where it has none. */
export const nameOf = ({ title, session_id }: Pick<SessionView, 'title' | 'session_id'>): string => title ?? session_id;

/** A page of the list of sessions. */
export interface SessionsPage {
  sessions: SessionView[];
  next: string | null;
}

interface SessionsRequest {
  /** The filters, as the API has them. */
  query: Record<string, string | null>;
  /** How many are wanted at most; Infinity: all. */
  count: number;
  signal: AbortSignal;
  /** Reads a page. */
  read?: (path: string, options: RequestOptions) => Promise<SessionsPage>;
}

/** The sessions that match, most recently used first. A filtered page may be short of its limit without being the last. */
export const listSessions = async ({ query, count, signal, read = request<SessionsPage> }: SessionsRequest) => {
  const sessions: SessionView[] = [];
  let cursor: string | null = null;
  do {
    const page: SessionsPage = await read('/v1/sessions', {
      query: { ...query, limit: Math.min(count, PAGE_MAX), cursor },
      signal,
    });
    sessions.push(...page.sessions);
    cursor = page.next;
  } while (cursor !== null && sessions.length < count);
  return { sessions: sessions.slice(0, count), hasMore: cursor !== null || sessions.length > count };
};
