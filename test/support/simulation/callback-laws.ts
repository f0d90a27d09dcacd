import { expect } from 'vitest';
import { CallbackState } from '../../../contracts/callback.ts';
import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { questionId } from '../../../src/projections/question.ts';
import type { Engine } from '../../../src/runtime/port.ts';
import { SESSIONS } from './moves.ts';
import { OWN_RECEIVER, type PlayedHistory, SESSION_WITH_CALLBACKS, WEBHOOK } from './played-history.ts';
import type { Receiver } from './receiver.ts';

/** More than any history has. */
const ALL = { limit: 500 };

const overSessions = async <Item>(
  read: (session: string) => Promise<{ readonly items: readonly Item[] }>,
  engine: Engine,
) => {
  const { items } = await engine.sessions('local', { limit: SESSIONS.length });
  return (await Promise.all(items.map(({ session_id }) => read(session_id)))).flatMap((page) => page.items);
};

/** Whether the callback for a waiting or paused task was posted to the webhook: its question, or any pause. */
const isPosted = (task: TaskView, ids: ReadonlySet<string>): boolean => {
  const question = questionId(task);
  if (question !== null) return ids.has(question);
  return task.state !== 'paused' || [...ids].some((id) => id.startsWith(`paused-${task.id}-`));
};

/** Events that the webhook received have happened: none of a commit that a crash undid. */
const assertHappened = (body: string, traces: TraceEntry[][]): void => {
  const { type, data } = JSON.parse(body) as { type: string; data: { task_id: string } };
  if (type === 'turn.finished') return;
  const state = type === 'task.paused' ? 'paused' : 'awaiting_user';
  expect(traces.flat().some((entry) => entry.task_id === data.task_id && entry.state === state)).toBe(true);
};

/**
 * Callbacks (SPEC 16): each event was accepted by its receiver, nothing else was posted, every post of an id is the
 * same, and an accepted one comes again only from a process after a crash.
 */
export const assertCallbacks = async (
  { engine }: PlayedHistory['last'],
  { posted }: Receiver,
  traces: TraceEntry[][],
): Promise<void> => {
  const all = await overSessions((session) => engine.turns('local', session, ALL), engine);
  // One stored during a crash, and so not acknowledged, may still wait behind a question.
  const turns = all.filter(({ finished_at }) => finished_at !== null);
  const tasks = await overSessions((session) => engine.tasks('local', session, ALL), engine);
  const ids = new Set(posted.keys());
  const own = turns.filter(({ session_id }) => session_id === SESSION_WITH_CALLBACKS).map(({ id }) => id);
  const finished = [...own, ...turns.map(({ id }) => `finished-${id}`)];
  expect(finished.filter((id) => !ids.has(id))).toEqual([]);
  expect(tasks.filter((task) => !isPosted(task, ids))).toEqual([]);
  const outbox = await engine.callbacks({ owner: 'local', isOperator: true }, CallbackState.options, ALL);
  expect(outbox.items.filter(({ state }) => state !== 'delivered')).toEqual([]);
  expect(new Set(outbox.items.map(({ id }) => id))).toEqual(ids);
  for (const [id, { urls, bodies, acceptedFrom }] of posted) {
    expect([id, [...urls]]).toEqual([id, [own.includes(id) ? OWN_RECEIVER : WEBHOOK]]);
    expect([id, bodies.size]).toEqual([id, 1]);
    expect(acceptedFrom.length).toBeGreaterThan(0);
    expect([id, acceptedFrom]).toEqual([id, [...new Set(acceptedFrom)]]);
    if (!own.includes(id)) assertHappened([...bodies][0]!, traces);
  }
};
