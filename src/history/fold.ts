import type { Effect, TaskEvent, TaskOpened } from '../../contracts/event.ts';
import { open, type Step, step, type Task } from '../../machines/step.ts';

/** Folds one event into its task; null: the event opens it. Loading, traces, forks and the console fold by this alone. */
export const foldEvent = (task: Task | null, event: TaskOpened | TaskEvent): Step => {
  if (event.type === 'task.opened') return open(event);
  if (task === null) throw new Error(`'${event.type}' came before 'task.opened'`);
  return step(task, event);
};

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

/** True where two JSON values are the same, whatever the order of an object's members. Goes only as deep as both are nested. */
export const isSameJson = (one: unknown, other: unknown): boolean => {
  if (!isObject(one) || !isObject(other)) return Object.is(one, other);
  if (Array.isArray(one) !== Array.isArray(other)) return false;
  const keys = Object.keys(one);
  return (
    keys.length === Object.keys(other).length &&
    keys.every((key) => Object.hasOwn(other, key) && isSameJson(one[key], other[key]))
  );
};

/** The result of an entry's event, as the entry says it. */
export interface Recorded {
  readonly state: string | null;
  readonly step_count: number | null;
  readonly effects: readonly Effect[];
}

/** The first thing in which an entry says otherwise than the fold. */
interface Disagreement {
  readonly what: keyof Recorded;
  readonly expected: unknown;
  readonly actual: unknown;
}

/** Compares a step with what is recorded of it; null where they agree. */
export const disagreement = ({ task, effects }: Step, recorded: Recorded): Disagreement | null => {
  const made: Recorded = { state: task.state, step_count: task.context.step_count, effects };
  for (const what of ['state', 'step_count', 'effects'] as const)
    if (!isSameJson(made[what], recorded[what])) return { what, expected: made[what], actual: recorded[what] };
  return null;
};
