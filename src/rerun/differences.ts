import type { FirstDifference } from '../../contracts/rerun.ts';
import type { TaskTraceEntry } from '../../contracts/trace.ts';
import { type JsonChange, jsonChanges } from '../history/json-changes.ts';
import { canonicalInput } from './canonical.ts';

/**
 * Fields of an event that say how something was said, by whom or in how many tokens: runs differ in them without going
 * on otherwise.
 */
const ASIDE = new Set([
  ...['task_id', 'session_id', 'turn_id', 'effect', 'usage', 'reader', 'message', 'call', 'notes', 'by', 'catalogue'],
  ...['chained_from', 'current_step', 'left_out', 'signal', 'expired_at'],
]);

/** Events that have no place in the order of a run: when they come depends on time. */
const isLate = ({ event }: TaskTraceEntry): boolean => event.type === 'result.superseded';

const meaning = (value: unknown, name = ''): unknown => {
  if (Array.isArray(value)) return value.map((inner) => meaning(inner));
  if (name === 'input' && typeof value === 'string') return canonicalInput(value);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([field, inner]) =>
      ASIDE.has(field) || inner === undefined ? [] : [[field, meaning(inner, field)]],
    ),
  );
};

/** Where two entries of a run differ in their meaning. Of a refused answer only that it was refused is known, and an edit of a plan is the recorded one. */
const changesOf = (was: TaskTraceEntry, is: TaskTraceEntry): JsonChange[] => {
  if (was.event.type !== is.event.type) return [{ path: ['type'], before: was.event.type, after: is.event.type }];
  if (was.event.type.endsWith('.rejected') || was.event.type === 'plan.edited') return [];
  const events = jsonChanges(meaning(was.event), meaning(is.event));
  return events.length > 0 ? events : jsonChanges({ state: was.state }, { state: is.state });
};

const ended = (was: TaskTraceEntry | undefined, is: TaskTraceEntry | undefined, at: number): FirstDifference => ({
  seq: was?.seq ?? null,
  at: is === undefined ? null : at,
  recorded_type: was?.event.type ?? null,
  came_type: is?.event.type ?? null,
  recorded: was === undefined ? null : meaning(was.event),
  came: is === undefined ? null : meaning(is.event),
});

/**
 * The first entry of a lane that goes on otherwise than the recording; null: none. Names, times, tokens and the words beside a
 * call do not count, nor does the wording of `current_step`.
 */
export const firstDifference = (
  recorded: readonly TaskTraceEntry[],
  came: readonly TaskTraceEntry[],
): FirstDifference | null => {
  const [then, now] = [recorded, came].map((entries) => entries.filter((entry) => !isLate(entry))) as [
    TaskTraceEntry[],
    TaskTraceEntry[],
  ];
  for (let i = 0; i < Math.max(then.length, now.length); i++) {
    const [was, is] = [then[i], now[i]];
    if (was === undefined || is === undefined) return ended(was, is, i + 1);
    const [change] = changesOf(was, is);
    if (change === undefined) continue;
    if (was.event.type !== is.event.type) return ended(was, is, i + 1);
    return {
      seq: was.seq,
      at: i + 1,
      recorded_type: was.event.type,
      came_type: is.event.type,
      path: change.path.join('.'),
      recorded: change.before ?? null,
      came: change.after ?? null,
    };
  }
  return null;
};
