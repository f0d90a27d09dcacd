/**
 * The fold of a task's history: each entry's event through the machine, onto the task that the entries before it led to. Whoever reads a
 * history reads it by `foldEntry`, in Node and in browsers. The readers differ on purpose in three things:
 *
 * | reader | begins with | compares | on a disagreement |
 * |---|---|---|---|
 * | `load.ts` | a snapshot, or the first entry | entries from the first one on that another machine made | gives the task before it, which is to pause |
 * | `trace.ts` | the first entry of each task | every entry | gives the difference, and ends |
 * | `fork.ts` | the first entry, under the fork's ids | entries that another machine made | refuses the fork |
 * | `narrate.ts` | the first entry | nothing | tells no progress of this task any more |
 *
 * A fold never performs an effect, and stores nothing.
 */
import type { Effect, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { EventNotAccepted, open, type Step, step, type Task } from '../../machines/step.ts';
import { isSameJson } from './same-json.ts';

/** The result of an event, as recorded by its entry. */
export interface Recorded {
  readonly state: string | null;
  readonly step_count: number | null;
  readonly effects: readonly Effect[];
}

/** An entry as it is folded. */
export interface HistoryEntry {
  readonly event: TaskOpened | TaskEvent;
  /** Compared with the step; null: not compared. */
  readonly recorded: Recorded | null;
}

/** The first difference between an entry and the fold; `expected` is the fold's value. */
export interface Mismatch {
  readonly what: keyof Recorded;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** The event cannot follow here. `error` is an `EventNotAccepted`, or a fault. */
export interface RefusedEvent {
  readonly what: 'event';
  readonly expected: string;
  readonly actual: string;
  readonly error: unknown;
}

/** An entry that the machine accepted. */
interface Taken {
  readonly entry: HistoryEntry;
  /** The task before the entry; null: the entry opens it. */
  readonly before: Task | null;
  readonly step: Step;
  /** Null: the entry equals the machine's result, or nothing was compared. */
  readonly disagreement: Mismatch | null;
}

/** An entry that the machine refused, after which nothing can be folded. */
interface Refused {
  readonly entry: HistoryEntry;
  readonly before: Task | null;
  readonly step: null;
  readonly disagreement: RefusedEvent;
}

/** An entry with the task before it, its step, and the first disagreement. */
export type Folded = Taken | Refused;

const take = (before: Task | null, event: TaskOpened | TaskEvent): Step => {
  if (event.type === 'task.opened') {
    if (before !== null) throw new EventNotAccepted(`The task is in '${before.state}', so it was opened before`);
    return open(event);
  }
  if (before === null) throw new EventNotAccepted(`'${event.type}' came before 'task.opened'`);
  return step(before, event);
};

/** Compares a step with its record; null: equal. */
const mismatch = ({ task, effects }: Step, recorded: Recorded): Mismatch | null => {
  const made: Recorded = { state: task.state, step_count: task.context.step_count, effects };
  for (const what of ['state', 'step_count', 'effects'] as const)
    if (!isSameJson(made[what], recorded[what])) return { what, expected: made[what], actual: recorded[what] };
  return null;
};

/**
 * Folds one entry onto its task, null if it is the task's first. Never throws: an event that cannot follow is a
 * disagreement.
 */
export const foldEntry = (before: Task | null, entry: HistoryEntry): Folded => {
  const { event, recorded } = entry;
  try {
    const made = take(before, event);
    return { entry, before, step: made, disagreement: recorded === null ? null : mismatch(made, recorded) };
  } catch (error) {
    const expected = before === null ? 'task.opened' : `an event that '${before.state}' accepts`;
    return { entry, before, step: null, disagreement: { what: 'event', expected, actual: event.type, error } };
  }
};
