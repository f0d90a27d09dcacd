import { expect, it } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import { consoleLanguage } from './console-language.ts';

await consoleLanguage();
const { listSessions } = await import('../../src/console/api/sessions.ts');

/** Largest page that the service gives. */
const PAGE_MAX = 500;

/** Reads pages of so many sessions, as the service would; `short` of them are missing on each page, as in a search. */
const serviceOf = (all: number, short = 0) => {
  const limits: number[] = [];
  const names = Array.from({ length: all }, (_, i) => ({ session_id: `s${i}` }) as SessionView);
  const read = async (_: string, { query = {} }: { query?: Record<string, unknown> }) => {
    const [limit, from] = [Number(query['limit']), Number(query['cursor'] ?? 0)];
    limits.push(limit);
    const to = from + limit;
    return { sessions: names.slice(from, to - short), next: to < all ? String(to) : null };
  };
  return { limits, read };
};

const list = async (count: number, { read }: ReturnType<typeof serviceOf>) => {
  const { sessions, hasMore } = await listSessions({ query: {}, count, signal: new AbortController().signal, read });
  return [sessions.length, new Set(sessions).size, hasMore];
};

it('sessions above the largest page are read page by page, also all of them', async () => {
  const service = serviceOf(1_200);
  expect(await list(50, service)).toEqual([50, 50, true]);
  expect(await list(550, service)).toEqual([550, 550, true]);
  expect(await list(Number.POSITIVE_INFINITY, service)).toEqual([1_200, 1_200, false]);
  expect(Math.max(...service.limits)).toBe(PAGE_MAX);
});

it('a search reads on behind a page that is short', async () => {
  expect(await list(50, serviceOf(120, 10))).toEqual([50, 50, true]);
  expect(await list(50, serviceOf(50, 10))).toEqual([40, 40, false]);
});
