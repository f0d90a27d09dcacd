import type { TraceEntry } from '../../../contracts/trace.ts';
import { isRestOfMessage } from '../../history/rest-of-message.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import type { TaskCall } from '../history/calls.ts';

/** A model call's effect, and the task that asked for it. */
export interface CallEffect extends TaskProps {
  effect: string;
}

/** The model call whose prompt belongs to a call. */
export interface PromptCall {
  asked: CallEffect;
  /** The previous call; null: none. */
  before: CallEffect | null;
  /** The entry with the model's message, if it is another one; null: the call's own. */
  messageOf: number | null;
}

/** Events that are the outcome of a model call. Each names its effect. */
const OF_A_MODEL = /^(?:(plan|thought|replan)\.(?:made|rejected)|model\.unavailable)$/;

/** The model call that led to an entry; null: none, for example because it came from the rest of an earlier message. */
const calledFor = ({ session_id: session, task_id: task, event }: TraceEntry): CallEffect | null => {
  if (!OF_A_MODEL.test(event.type) || !('effect' in event) || task === null || isRestOfMessage(event)) return null;
  return { session, task, effect: `${task}.${event.effect}` };
};

/** The last entry up to another one that a model call led to. */
const calledUntil = (entries: readonly TraceEntry[], index: number): number =>
  entries.findLastIndex((entry, i) => i <= index && calledFor(entry) !== null);

/**
 * The model call that a call is, or that asked for its tool. `index`: the entry with its outcome. Null: no model has to
 * do with it, or its call is not over.
 */
export const promptCallOf = (
  entries: readonly TraceEntry[],
  call: TaskCall | null,
  index: number,
): PromptCall | null => {
  const isOfModel = OF_A_MODEL.test(entries[index]!.event.type) && (call === null || call.to !== null);
  const isOfTool = call?.kind === 'tool';
  if (!isOfModel && !isOfTool) return null;
  const said = calledUntil(entries, isOfTool ? call.from : index);
  const asked = said < 0 ? null : calledFor(entries[said]!);
  if (asked === null) return null;
  const before = calledUntil(entries, said - 1);
  return {
    asked,
    before: before < 0 ? null : calledFor(entries[before]!),
    messageOf: said === index ? null : entries[said]!.seq,
  };
};
