import { z } from 'zod';
import { Problem, StateChange } from './http.ts';
import { TaskId } from './ids.ts';
import { TraceEntry } from './trace.ts';
import { TurnView } from './turn-view.ts';

export const ProgressKind = z.enum([
  'plan',
  'note',
  'item',
  'thought',
  'action',
  'result',
  'rejected',
  'replan',
  'deadlock',
  'verification',
  'question',
  'answer',
  'steer',
  'plan_edited',
  'resumed',
  'superseded',
  'finished',
  'paused',
  'failed',
  'cancelled',
]);
export type ProgressKind = z.infer<typeof ProgressKind>;

/** The data of a `progress` message: one line for people, in the task's language. */
export const Progress = z.object({ kind: ProgressKind, text: z.string(), task_id: TaskId });
export type Progress = z.infer<typeof Progress>;

const message = <Event extends string, Data extends z.ZodType>(event: Event, data: Data) =>
  z.object({ event: z.literal(event), data });

/** The seq of the trace entry that a message belongs to. A stream that starts after it continues there. */
const id = z.number().int();

const entryMessages = [
  message('trace', TraceEntry).extend({ id }),
  message('state', StateChange).extend({ id }),
  message('progress', Progress).extend({ id }),
] as const;

const answer = { task_id: TaskId, attempt: z.number().int() };

/**
 * A piece of the answer that ends a task, while the model writes it. Not part of any trace, and not resumed (SPEC 11).
 */
const answerMessages = [
  message('answer.delta', z.object({ ...answer, text: z.string() })),
  /** Retracts everything shown of that attempt. */
  message('answer.retracted', z.object(answer)),
] as const;
export type AnswerNews = z.infer<(typeof answerMessages)[number]>;

/**
 * One message of a session's events, with its `data` parsed: an entry, its change of state, its progress lines (SPEC
 * 11).
 */
export const SessionMessage = z.discriminatedUnion('event', [...entryMessages, ...answerMessages]);
export type SessionMessage = z.infer<typeof SessionMessage>;

/**
 * One message of a turn's events: the turn's entries as in a session's events, and the finished turn as the last
 * message.
 */
export const TurnMessage = z.discriminatedUnion('event', [
  ...entryMessages,
  ...answerMessages,
  message('turn', TurnView),
  /** Replaces the turn where the service stops before the turn is finished. */
  message('problem', Problem),
]);
export type TurnMessage = z.infer<typeof TurnMessage>;
