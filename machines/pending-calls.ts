import { type Call, isAction, type PendingCalls } from '../contracts/calls.ts';
import type { TaskEvent } from '../contracts/event.ts';
import { isSettled, type TaskContext, type TaskSnapshot, type TaskState } from '../contracts/task.ts';

/** An event that carries a model's answer into the machine. */
export type ModelEvent = Extract<
  TaskEvent,
  { type: 'plan.made' | 'plan.rejected' | 'thought.made' | 'thought.rejected' | 'replan.made' | 'replan.rejected' }
>;

const MODEL_EVENTS: readonly string[] = ['plan', 'thought', 'replan'].flatMap((contract) => [
  `${contract}.made`,
  `${contract}.rejected`,
]);

export const isModelEvent = (event: { type: string }): event is ModelEvent => MODEL_EVENTS.includes(event.type);

export const contractOf = (event: ModelEvent): 'plan' | 'thought' | 'replan' =>
  event.type.slice(0, event.type.indexOf('.')) as 'plan' | 'thought' | 'replan';

/** The call of a message that a model's event is; null for an answer by text. */
export const callBehind = (before: TaskContext, event: ModelEvent): Call | null => {
  const { message, call } = event;
  if (call === undefined) return null;
  return (message?.calls ?? before.said?.calls ?? [])[call.at] ?? null;
};

/** The calls that nothing has come of yet. An `item_done` that ended its item is left out. */
export const callsLeft = (pending: PendingCalls | null): Call[] => {
  if (pending === null) return [];
  const rest = pending.calls.slice(pending.at);
  return rest[0]?.name === 'item_done' && pending.taken.includes('thought') ? rest.slice(1) : rest;
};

/** The calls of a message that still answer, and those that are given up for good. */
interface Rest {
  pending: PendingCalls | null;
  notTaken: Call[];
}

/** States in which a model is asked. */
const ASKING: readonly TaskState[] = ['planning', 'thinking', 'replanning'];

/** The calls after an accepted one. After an action only actions remain pending: the others were written before its result. */
const restBehind = (pending: PendingCalls, event: ModelEvent, chains: boolean): Rest => {
  const { calls, at, taken } = pending;
  if (event.call?.more === true) return { pending: { ...pending, taken: [...taken, contractOf(event)] }, notTaken: [] };
  const endsTask = event.type === 'replan.made' && event.status === 'done';
  const acts = event.type === 'thought.made' && event.status === 'continue';
  const next = at + (event.call?.count ?? 1);
  const rest = calls.slice(next);
  const other = endsTask || !chains ? 0 : rest.findIndex((call) => acts && !isAction(call));
  const end = other === -1 ? calls.length : next + other;
  const left = { ...pending, calls: calls.slice(0, end), at: next, taken: [] };
  return { pending: left.at < end ? left : null, notTaken: calls.slice(end) };
};

const restAfterModel = (before: TaskContext, event: ModelEvent): Rest => {
  const { message, call } = event;
  if (call === undefined) return { pending: null, notTaken: [] };
  const pending =
    message === undefined ? before.said : { calls: message.calls, at: call.at, taken: [], model: message.model };
  if (pending === null) return { pending: null, notTaken: [] };
  // The log shows the refused call itself.
  if ('reason' in event)
    return { pending: null, notTaken: pending.calls.slice(pending.at).filter((_, i) => i !== call.at - pending.at) };
  const isSame = pending.at === call.at;
  return restBehind(isSame ? pending : { ...pending, at: call.at, taken: [] }, event, before.chain);
};

/** True if the user spoke while the model wrote its message. The model has not seen those words, so the calls after its answer are given up. */
const isUnheard = ({ context }: TaskSnapshot, { message }: ModelEvent): boolean =>
  message !== undefined && context.clarification_history.length > (message.heard ?? 0);

/**
 * The rest of the model's newest message after an event (SPEC 3, chains). An event that does not follow directly from the message gives the
 * rest up: `notTaken` has those calls in their order, `passedOver` the calls given up before the event, when the model was asked anew.
 */
export const pendingAfter = (
  taskBefore: TaskSnapshot,
  { state, context }: TaskSnapshot,
  event: TaskEvent,
): Rest & { passedOver: Call[] } => {
  const { state: stateBefore, context: before } = taskBefore;
  if (isModelEvent(event)) {
    const { pending, notTaken } = restAfterModel(before, event);
    const isAskedAnew = event.call === undefined || event.message !== undefined;
    const passedOver = isAskedAnew ? callsLeft(before.said) : [];
    if (!isSettled(state) && !isUnheard(taskBefore, event)) return { pending, notTaken, passedOver };
    return { pending: null, notTaken: [...callsLeft(pending), ...notTaken], passedOver };
  }
  const isObserved = event.type === 'observation.recorded' || event.type === 'observations.recorded';
  const acted = isObserved && context.consecutive_failures === 0;
  if (acted && !isSettled(state)) return { pending: before.said, notTaken: [], passedOver: [] };
  const given = callsLeft(before.said);
  // The model was being asked, so the log has these calls already.
  if (ASKING.includes(stateBefore)) return { pending: null, notTaken: [], passedOver: given };
  return { pending: null, notTaken: given, passedOver: [] };
};
