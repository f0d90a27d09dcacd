import { expect, it } from 'vitest';
import type { Decision } from '../../src/engine/change.ts';
import { createPrune } from '../../src/engine/prune-sessions.ts';
import type { RemovableSession, Upkeep } from '../../src/store/port.ts';

const named = (count: number): RemovableSession[] =>
  Array.from({ length: count }, (_, i) => ({ owner: 'local', session_id: `s${i}` }) as RemovableSession);

/** Prunes these sessions, of which some can not be removed. */
const pruned = async (sessions: RemovableSession[], isDamaged: (session_id: string) => boolean) => {
  const tried: string[] = [];
  const removed: string[] = [];
  let callbacks = 0;
  const prune = createPrune({
    store: {
      removable: async ({ after, limit }) => {
        const from = after === null ? 0 : Number(after);
        const next = from + limit < sessions.length ? String(from + limit) : null;
        return { items: sessions.slice(from, from + limit), next };
      },
      pruneCallbacks: async () => {
        callbacks += 1;
        return false;
      },
    } as Pick<Upkeep, 'removable' | 'pruneCallbacks'>,
    post: async ({ session_id }) => {
      tried.push(session_id);
      if (isDamaged(session_id)) throw new Error(`${session_id} is damaged`);
      return { changes: [{}] } as unknown as Decision;
    },
    isFollowed: () => false,
  });
  let fault = '';
  try {
    for await (const batch of prune({ before: 0, includeWaiting: false }))
      removed.push(...batch.map(({ session_id }) => session_id));
  } catch (error) {
    fault = (error as Error).message;
  }
  return { tried, removed, callbacks, fault };
};

it('a session that can not be removed keeps no other one, and is told of at the end', async () => {
  const { removed, callbacks, fault } = await pruned(named(25), (session_id) => session_id === 's3');
  expect(removed).toEqual(
    named(25)
      .map(({ session_id }) => session_id)
      .filter((session_id) => session_id !== 's3'),
  );
  expect(callbacks).toBe(1);
  expect(fault).toBe('s3 is damaged');
});
