import { expect } from 'vitest';
import type { TraceEntry } from '../../../contracts/trace.ts';
import { isModelEvent } from '../../../machines/pending-calls.ts';
import { replay } from '../../../src/history/replay.ts';
import { stepsOf } from '../machine/counts-as-step.ts';
import { assertCallbacks } from './callback-laws.ts';
import { SESSIONS } from './moves.ts';
import type { AcknowledgedTurn, PlayedHistory } from './played-history.ts';

const tracesOf = async ({ last: { engine } }: PlayedHistory): Promise<TraceEntry[][]> => {
  const { items } = await engine.sessions('local', { limit: SESSIONS.length });
  return Promise.all(items.map(({ session_id }) => Array.fromAsync(engine.sessionTrace('local', session_id))));
};

const sorted = (values: string[]): string[] => values.toSorted();

/** Each effect is asked for once and has at most one outcome, whatever came late or twice. */
export const assertOneOutcomeEach = (trace: TraceEntry[]): void => {
  const asked = trace.flatMap(({ task_id, effects }) => effects.map(({ effect }) => `${task_id}.${effect}`));
  const outcomes = trace.flatMap(({ task_id, event }) =>
    'effect' in event && event.type !== 'result.superseded' ? [`${task_id}.${event.effect}`] : [],
  );
  expect(new Set(asked).size).toBe(asked.length);
  expect(new Set(outcomes).size).toBe(outcomes.length);
  expect(outcomes.filter((id) => !asked.includes(id))).toEqual([]);
};

/**
 * True for an event that continues a message with several calls: one of its calls, or results of its actions that all
 * succeeded.
 */
const goesOn = (event: TraceEntry['event']): boolean => {
  if (isModelEvent(event)) return event.call !== undefined;
  if (event.type === 'observations.recorded') return event.observations.every(({ ok }) => ok);
  return event.type === 'observation.recorded' && event.ok;
};

/**
 * Asserts that a call that a message already contained is asked of no model and uses nothing, directly follows its
 * message or the success of one of its actions, and counts like anything else.
 */
export const assertChains = (asked: ReadonlySet<string>, trace: readonly TraceEntry[]): void => {
  const ofTasks = trace.filter(({ task_id, event }) => task_id !== null && event.type !== 'result.superseded');
  for (const [task_id, entries] of Map.groupBy(ofTasks, (entry) => entry.task_id)) {
    for (const [i, { event }] of entries.entries()) {
      if (!isModelEvent(event) || event.call === undefined || event.message !== undefined) continue;
      expect(asked).not.toContain(`${task_id}.${event.effect}`);
      expect(event.usage).toBeUndefined();
      expect(entries[i - 1]?.event).toSatisfy(goesOn);
    }
    expect(entries.at(-1)?.step_count).toBe(entries.reduce((sum, { event }) => sum + stepsOf(event), 0));
  }
};

/** The work that is open in memory is the work that is open in the store, through all commits and crashes. */
export const assertCounted = async ({ last: { engine } }: PlayedHistory): Promise<void> => {
  const { turns_running, turns_queued, effects_open } = await engine.activity();
  const running_tasks = Object.values(effects_open).reduce((sum, count) => sum + count, 0);
  const counts = { unfinished_turns: turns_running, queued_turns: turns_queued, running_tasks };
  expect(await engine.usage('local')).toMatchObject(counts);
};

/** A transactional tool's change and its observation are stored together or not at all. */
const assertTransactional = (observations: Observation[], tallied: string[]): void => {
  const succeeded = observations.filter(({ tool, ok }) => tool === 'tally' && ok).map(({ input }) => input);
  expect(sorted(tallied)).toEqual(sorted(succeeded));
};

type Observation = Extract<TraceEntry['event'], { type: 'observation.recorded' }>;

/** An at-most-once tool ran once where it is reported successful, and never twice. */
const assertAtMostOnce = (runs: ReadonlyMap<string, number>, traces: TraceEntry[][]): void => {
  for (const { task_id, event, effects } of traces.flat()) {
    for (const { effect, type, params } of effects) {
      const id = `${task_id}.${effect}`;
      if (type === 'tool.call' && params.tool === 'once') expect(runs.get(id) ?? 0).toBeLessThanOrEqual(1);
      if (type === 'tool.batch')
        for (const at of params.calls.keys()) expect(runs.get(`${id}.${at}`) ?? 0).toBeLessThanOrEqual(1);
    }
    if (event.type === 'observation.recorded' && event.tool === 'once' && event.ok)
      expect(runs.get(`${task_id}.${event.effect}`)).toBe(1);
    if (event.type === 'observations.recorded')
      for (const [at, { ok }] of event.observations.entries())
        if (ok) expect(runs.get(`${task_id}.${event.effect}.${at}`)).toBe(1);
  }
};

/** Every acknowledged turn exists, is finished, and is in the trace once. */
const assertAcknowledged = async (
  { last: { engine }, acknowledged }: PlayedHistory,
  traces: TraceEntry[][],
): Promise<void> => {
  const mentions = new Map<string, number>();
  for (const { event } of traces.flat())
    if ('turn_id' in event && event.turn_id !== null)
      mentions.set(event.turn_id, (mentions.get(event.turn_id) ?? 0) + 1);
  for (const { sent, turn } of acknowledged) {
    const view = await engine.turn('local', turn.id);
    expect(view).toMatchObject({ session_id: sent.session, kind: turn.kind, finished_at: expect.any(String) });
    expect(['answered', 'asking', 'paused', 'failed', 'cancelled', 'ran']).toContain(view.status);
    if (view.kind === 'task') expect([turn.id, mentions.get(turn.id)]).toEqual([turn.id, 1]);
  }
};

/** One key means one turn. */
const assertKeys = (acknowledged: readonly AcknowledgedTurn[]): void => {
  const turns = new Map<string, string>();
  for (const { sent, turn } of acknowledged) {
    if (sent.key === undefined) continue;
    expect(turns.get(sent.key) ?? turn.id).toBe(turn.id);
    turns.set(sent.key, turn.id);
  }
};

/** Turns queued in a session were taken in the order in which they were sent. */
const assertOrder = ({ acknowledged }: PlayedHistory, traces: TraceEntry[][]): void => {
  for (const trace of traces) {
    const taken = trace.flatMap(({ event }) => ('turn_id' in event && event.turn_id !== null ? [event.turn_id] : []));
    const queued = acknowledged.flatMap(({ turn }) =>
      turn.status === 'queued' && taken.includes(turn.id) ? [turn.id] : [],
    );
    const first = [...new Set(queued)];
    expect(taken.filter((id) => first.includes(id))).toEqual(first);
  }
};

/** Asserts the laws that hold for every history. */
export const assertLaws = async (played: PlayedHistory): Promise<void> => {
  expect(played.faults).toEqual([]);
  const traces = await tracesOf(played);
  for (const trace of traces) {
    if (trace.length > 0)
      expect(await replay(JSON.parse(JSON.stringify(trace)), { gapless: true })).toEqual({
        ok: true,
        entries: trace.length,
      });
    assertOneOutcomeEach(trace);
    assertChains(played.external.asked, trace);
  }
  // Counted by each commit, across all crashes.
  await assertCounted(played);
  const observations = traces.flat().flatMap(({ event }) => (event.type === 'observation.recorded' ? [event] : []));
  assertTransactional(observations, await played.last.tallied());
  assertAtMostOnce(played.external.runs, traces);
  await assertAcknowledged(played, traces);
  assertKeys(played.acknowledged);
  assertOrder(played, traces);
  if (played.receiver !== null) await assertCallbacks(played.last, played.receiver, traces);
};
