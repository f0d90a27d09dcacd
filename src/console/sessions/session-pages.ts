import type { SessionView } from '../../../contracts/http.ts';
import { createPolled } from '../api/polled.ts';
import { listSessions } from '../api/routes.ts';
import { pausedSessions } from '../inbox/waiting.ts';
import { isListed, type SessionFilter } from './session-filter.ts';

/** How often the list is asked for, in milliseconds. */
const EVERY_MS = 4_000;

/** Most sessions that one request gives. */
const PAGE_MAX = 500;

/** How many more are listed at once. */
export const SHOWN_STEP = 50;

/** Sessions that match, as many as are shown, and whether there are more. */
export interface ListedSessions {
  sessions: SessionView[];
  hasMore: boolean;
  /** There are sessions, whether one matches or not. */
  hasAny: boolean;
}

/** The sessions that a filter lets through, the most recently used first; reads on until there are `shown` of them. */
export const createSessionPages = (filter: SessionFilter, shown: number) =>
  createPolled<ListedSessions>(async (signal) => {
    const isAll = filter.state === 'all' && filter.words.trim() === '';
    const found: SessionView[] = [];
    let cursor: string | null = null;
    let hasAny = false;
    do {
      const page = await listSessions({ limit: isAll ? Math.min(PAGE_MAX, shown + 1) : PAGE_MAX, cursor, signal });
      hasAny ||= page.sessions.length > 0;
      found.push(...page.sessions.filter((session) => isListed(session, filter, pausedSessions.peek())));
      cursor = page.next;
    } while (cursor !== null && found.length <= shown);
    return { sessions: found.slice(0, shown), hasMore: found.length > shown, hasAny };
  }, EVERY_MS);
