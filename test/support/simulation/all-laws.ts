import { expect } from 'vitest';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TurnView } from '../../../contracts/turn-view.ts';
import { replay } from '../../../src/history/replay.ts';
import { factStore } from '../../../src/tools/memory/memory.ts';
import { goalStore } from '../../../src/tools/schedule/goals.ts';
import { assertChains, assertCounted, assertOneOutcomeEach } from './laws.ts';
import type { PlayedHistory } from './played-history.ts';

/** More sessions, and more turns in one, than a history makes. */
const ALL = { limit: 500 };

/** Each turn of a goal came from one event, in order, and is over; a fork copies neither. */
const assertGoals = (trace: readonly TraceEntry[], turns: readonly TurnView[]): void => {
  const started = trace.flatMap(({ event }) => (event.type === 'goal.due' ? (event.started_turn_id ?? []) : []));
  const ofGoals = turns.filter(({ kind }) => kind === 'goal');
  expect(ofGoals.map(({ id }) => id).reverse()).toEqual(started);
  expect(ofGoals.filter(({ finished_at }) => finished_at === null)).toEqual([]);
};

/** An answer exists, in the right shape, wherever a turn asked for one. */
const assertAnswers = (trace: readonly TraceEntry[], turns: readonly TurnView[]): void => {
  const shaped = new Set(
    trace.flatMap(({ task_id, event }) =>
      event.type === 'task.opened' && event.answer_schema !== undefined ? [task_id] : [],
    ),
  );
  for (const { task_id, status, answer } of turns)
    if (shaped.has(task_id) && status === 'answered') expect(answer).toEqual({ count: expect.toSatisfy((n) => n > 0) });
};

/**
 * Asserts the laws for histories with all moves: every remaining trace replays, whatever happened to its origin, each
 * effect has one outcome, goals and answers are as requested, and after the owner's removal nothing of them is stored
 * or counted.
 */
export const assertAllLaws = async (played: PlayedHistory): Promise<void> => {
  const {
    last: { engine, store },
    external,
    faults,
    rowsInStore,
  } = played;
  expect(faults).toEqual([]);
  await assertCounted(played);
  for (const { session_id } of (await engine.sessions('local', ALL)).items) {
    const trace = await Array.fromAsync(engine.sessionTrace('local', session_id));
    const turns = (await engine.turns('local', session_id, ALL)).items;
    assertGoals(trace, turns);
    assertAnswers(trace, turns);
    if (trace.length === 0) continue;
    const replayed = await replay(JSON.parse(JSON.stringify(trace)), { gapless: true });
    expect(replayed).toEqual({ ok: true, entries: trace.length });
    assertOneOutcomeEach(trace);
    assertChains(external.asked, trace);
  }
  await engine.removeOwner('local');
  expect(await engine.usage('local')).toMatchObject({ sessions: 0 });
  expect(await rowsInStore()).toBe(0);
  expect(await store.ownerData.run(null, () => factStore.after('local', 0, 1))).toEqual([]);
  expect(await store.ownerData.run(null, () => goalStore.after('local', 0, 1))).toEqual([]);
};
