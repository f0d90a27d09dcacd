import { expect } from 'vitest';
import { replay } from '../../../src/engine/replay/replay.ts';
import { assertCounted, assertOneOutcomeEach } from './laws.ts';
import type { PlayedHistory } from './play-history.ts';

/** More sessions than a history makes. */
const ALL = { limit: 500 };

/**
 * Asserts the laws of histories with forks and removals: every trace that is left replays, whatever became of those it was forked from, each
 * effect has one outcome, and once all sessions are removed nothing of them is stored or counted.
 */
export const assertForkLaws = async (played: PlayedHistory): Promise<void> => {
  const {
    last: { engine },
    faults,
    rowsInStore,
  } = played;
  expect(faults).toEqual([]);
  await assertCounted(played);
  const { items } = await engine.sessions('local', ALL);
  for (const { session_id } of items) {
    const trace = await Array.fromAsync(engine.sessionTrace('local', session_id));
    if (trace.length === 0) continue;
    const replayed = await replay(JSON.parse(JSON.stringify(trace)), { gapless: true });
    expect(replayed).toEqual({ ok: true, entries: trace.length });
    assertOneOutcomeEach(trace);
  }
  for (const { session_id } of items) await engine.remove('local', session_id);
  expect(await engine.usage('local')).toMatchObject({ sessions: 0 });
  expect(await rowsInStore()).toBe(0);
};
