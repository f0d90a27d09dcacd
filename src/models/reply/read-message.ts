import { type AnswerContract, type Call, isAction, type Message } from '../../../contracts/calls.ts';
import { JSON_DEPTH_MAX, RESPONSE_CHARS_MAX } from '../../../contracts/limits.ts';
import { type Messages, messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import { cutText, isBlank } from '../../../contracts/text.ts';
import type { CallUsage } from '../../../contracts/usage.ts';
import { meaningOf, takenAtOnce } from '../../../machines/call-meaning.ts';
import type { ModelEvent } from '../../../machines/pending-calls.ts';
import type { ModelReply } from '../port.ts';
import { REPLY_CHARS_MAX } from './find-objects.ts';
import { contractFault, parseAnswerObject, parseModelReply, rejectedAnswer } from './parse-model-reply.ts';

/** Longest stored text beside calls, in characters: a note of the model to itself. */
const NOTE_CHARS_MAX = 1_000;

/** Most calls of a message that are read: more than any model makes at once. */
const CALLS_MAX = 32;

/** The last contract that a call answers. */
const lastContract = (call: Call): AnswerContract | null => {
  if (isAction(call) || call.name === 'ask_user') return 'thought';
  return call.name === 'finish' ? 'replan' : null;
};

/** Why a call's arguments cannot be used; null: they are not a JSON object. */
const whyNot = (fault: Call['fault'], { roundedNumber, tooDeep }: Messages['modelReply']['fault']): string | null => {
  if (fault === 'rounded_number') return roundedNumber;
  return fault === 'too_deep' ? tooDeep(JSON_DEPTH_MAX) : null;
};

/**
 * Why a later part of a call could not be accepted although the current one could; null if it can, as far as is known.
 */
const faultAhead = (due: AnswerContract, task: TaskContext, call: Call): string | null => {
  const { modelReply, rejections } = messages(task.language);
  if (call.unreadable !== undefined) return modelReply.badArguments(call.name, whyNot(call.fault, modelReply.fault));
  const last = lastContract(call);
  if (last === null || last === due) return null;
  const known = task.catalogue.tools.map(({ name }) => name);
  if (isAction(call) && !known.includes(call.name)) return rejections.toolNotAllowed(call.name, known);
  const meaning = meaningOf(last, task, call);
  if (meaning.kind !== 'answer') return null;
  // The allowed statuses of a thought depend on its item, which is not known yet.
  if (last === 'thought') return contractFault(last, task, meaning.answer);
  const event = parseAnswerObject(last, task, 0, meaning.answer, undefined);
  return 'reason' in event ? event.reason : null;
};

/**
 * Whether a replan has to follow an item's end although the task replans only when needed: the calls end the task or
 * change its plan.
 */
const asksForReplan = ({ replan }: TaskContext, [call, next]: readonly Call[]): boolean => {
  if (replan !== 'when_needed') return false;
  if (call?.name === 'finish') return true;
  return call?.name === 'item_done' && (next?.name === 'finish' || next?.name === 'plan');
};

/** The event of one call for the due contract; null if the call does not answer it. */
const eventOfCall = (
  due: AnswerContract,
  task: TaskContext,
  effect: number,
  { calls, at, taken }: { calls: readonly Call[]; at: number; taken: readonly AnswerContract[] },
  usage: CallUsage | undefined,
): ModelEvent | null => {
  const call = calls[at];
  if (call === undefined) return null;
  const fault = faultAhead(due, task, call);
  if (fault !== null) return { ...rejectedAnswer(due, effect, fault, usage), call: { at } };
  const beside = due === 'thought' ? takenAtOnce(task, calls.slice(at)).slice(1) : [];
  const meaning = meaningOf(due, task, call, { taken, beside });
  if (meaning.kind === 'over') return eventOfCall(due, task, effect, { calls, at: at + 1, taken: [] }, usage);
  if (meaning.kind === 'not_due') return null;
  const event = parseAnswerObject(due, task, effect, meaning.answer, usage);
  if ('reason' in event) return { ...event, call: { at } };
  const count = beside.length + 1;
  const replans = event.type === 'thought.made' && asksForReplan(task, calls.slice(at));
  return {
    ...event,
    call: {
      at,
      ...(meaning.more && { more: true }),
      ...(count > 1 && { count }),
      ...(replans && { replans: true }),
    },
  };
};

/** The text that was last rejected for having no call: `finish` need not repeat it. */
const rejectedText = ({ log, language }: TaskContext): string | null => {
  const last = log?.at(-1);
  return last?.kind === 'rejected' && last.reason === messages(language).modelReply.noCall ? last.answer : null;
};

/** The calls as intended: a `finish` without a response takes the text of its message, or the text just rejected. */
const completed = (task: TaskContext, { calls = [], text }: ModelReply): { calls: Call[]; note: string } => {
  let note = text.trim();
  const meant = calls.slice(0, CALLS_MAX).map((call) => {
    if (call.name !== 'finish' || !isBlank(call.input['response'])) return call;
    const response = cutText(note || (rejectedText(task) ?? ''), RESPONSE_CHARS_MAX);
    note = '';
    return { ...call, input: { ...call.input, response } };
  });
  return { calls: meant, note };
};

/** True for the reasons that mean: no reader found anything in the text. */
const isFoundNothing = (task: TaskContext, reason: string): boolean => {
  const { neitherObjectNorList, neitherObjectNorMark, neitherObjectNorMarkListIsNoPlan } = messages(
    task.language,
  ).modelReply;
  return [neitherObjectNorList, neitherObjectNorMark, neitherObjectNorMarkListIsNoPlan].includes(reason);
};

/**
 * An answer without calls. In the native voice plain text is usually the answer to the user, whose call is still to
 * come.
 */
const textEvent = (due: AnswerContract, task: TaskContext, effect: number, reply: ModelReply): ModelEvent => {
  const event = parseModelReply(due, task, effect, reply);
  const isNative = reply.calls !== undefined;
  // A list in an answer to the user is not a plan.
  const isList = isNative && event.type === 'plan.made' && event.reader === 'signal';
  const found = isList || ('reason' in event && isNative && isFoundNothing(task, event.reason));
  const read = found ? rejectedAnswer(due, effect, messages(task.language).modelReply.noCall, reply.usage) : event;
  if (!('reason' in read) || reply.text === '') return read;
  return { ...read, message: { calls: [], text: cutText(reply.text, RESPONSE_CHARS_MAX) } };
};

/**
 * Turns a model's message into the machine's event for the due contract, by its first call or its text (SPEC 4, 5).
 * Counts in any case.
 */
export const readMessage = (
  due: AnswerContract,
  task: TaskContext,
  effect: number,
  reply: ModelReply,
  model?: string,
): ModelEvent => {
  const { calls, note } = completed(task, reply);
  const [first] = calls;
  if (first === undefined) return textEvent(due, task, effect, reply);
  const { modelReply } = messages(task.language);
  if (JSON.stringify(calls).length > REPLY_CHARS_MAX)
    return rejectedAnswer(due, effect, modelReply.tooLong(REPLY_CHARS_MAX), reply.usage);
  const message: Message = { calls };
  if (note !== '') message.text = cutText(note, NOTE_CHARS_MAX);
  if (model !== undefined) message.model = model;
  const { length: heard } = task.clarification_history;
  if (heard > 0) message.heard = heard;
  const event = eventOfCall(due, task, effect, { calls, at: 0, taken: [] }, reply.usage);
  if (event !== null) return { ...event, message };
  const reason = modelReply.notDue(first.name, modelReply.due[due]);
  return { ...rejectedAnswer(due, effect, reason, reply.usage), message, call: { at: 0 } };
};

/**
 * The event that the pending calls of the model's newest message give for the due contract, without a model call (SPEC 3,
 * chains). Null: the model has to be asked, for example because another contract is due. `asked`: the contract's model,
 * if executors have models of their own.
 */
export const takePendingCall = (
  due: AnswerContract,
  task: TaskContext,
  effect: number,
  asked?: string,
): ModelEvent | null => {
  if (task.said === null || (task.said.model !== undefined && task.said.model !== asked)) return null;
  const event = eventOfCall(due, task, effect, task.said, undefined);
  // Nobody asked for it, so it is not a failure if it cannot be used.
  return event === null || 'reason' in event ? null : event;
};
