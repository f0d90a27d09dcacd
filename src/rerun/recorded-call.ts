import { hash } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { TaskEvent } from '../../contracts/event.ts';
import type { TaskContext } from '../../contracts/task.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import { isModelEffect, type ModelEffect } from '../../machines/model-effects.ts';
import { isModelEvent, type ModelEvent } from '../../machines/pending-calls.ts';
import { isRestOfMessage } from '../history/rest-of-message.ts';
import { createTraceFold } from '../history/trace.ts';
import { ServiceError } from '../lib/errors.ts';

/** The outcome of a model call: an answer, accepted or not, or none. */
export type CallOutcome = ModelEvent | Extract<TaskEvent, { type: 'model.unavailable' }>;

/** A model call of a task's history that is over. */
export interface RecordedCall {
  readonly effect: ModelEffect;
  /** The task that the model was asked about, as it was then. */
  readonly task: TaskContext;
  readonly event: CallOutcome;
  /** When it was asked for and when it was over, in epoch milliseconds. */
  readonly askedAt: number;
  readonly overAt: number;
}

/** Entries that are folded before other work of the process gets its turn. */
const AT_ONCE = 50;

/** The event if it is the outcome of a model call with this number; null: it is another. */
const outcomeOf = (effect: number, event: TraceEntry['event']): CallOutcome | null => {
  if (!isModelEvent(event) && event.type !== 'model.unavailable') return null;
  return event.effect === effect && !isRestOfMessage(event) ? event : null;
};

/** A task as the model saw it: a plan or replan says which tools had come or gone until then. */
const taskAsked = (task: TaskContext, event: CallOutcome): TaskContext =>
  'catalogue' in event && event.catalogue !== undefined ? { ...task, catalogue: event.catalogue } : task;

/**
 * Folds a task's trace up to the outcome of a model call, given by its number. Null: no model was asked for that effect,
 * or has not answered yet. Throws `TRACE_NOT_READABLE` for one that does not replay. Lets the process do other work meanwhile.
 */
export const readRecordedCall = async (lines: AsyncIterable<unknown>, effect: number): Promise<RecordedCall | null> => {
  const fold = createTraceFold((text) => hash('sha256', text));
  let asked: Pick<RecordedCall, 'effect' | 'task' | 'askedAt'> | null = null;
  let read = 0;
  for await (const line of lines) {
    read += 1;
    if (read % AT_ONCE === 0) await setImmediate();
    const folded = fold.fold(line);
    if (!folded.ok) throw new ServiceError('TRACE_NOT_READABLE', `The task does not replay: ${folded.message}`);
    const { entry, step } = folded;
    if (step === null) continue;
    const outcome = outcomeOf(effect, entry.event);
    if (asked !== null && outcome !== null)
      return { ...asked, task: taskAsked(asked.task, outcome), event: outcome, overAt: Date.parse(entry.at) };
    const found = step.effects.find((each) => each.effect === effect);
    if (found !== undefined && isModelEffect(found))
      asked = { effect: found, task: step.task.context, askedAt: Date.parse(entry.at) };
  }
  return null;
};
