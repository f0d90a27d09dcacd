import type { AnswerContract } from '../../contracts/calls.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { dueBy, isModelEffect } from '../../machines/model-effects.ts';
import { isModelEvent, type ModelEvent } from '../../machines/pending-calls.ts';
import { type AnswerFault, type ModelReply, ModelUnavailable } from '../models/port.ts';
import type { RecordedEntry, RecordedTask } from './recording.ts';

/** A model's reply at an entry of a recording, with the request that it answers. */
export interface RecordedReply {
  /** The entry that the answer became. */
  readonly seq: number;
  readonly contract: AnswerContract;
  /** The task that the model was asked about, when it was asked: a user may have spoken before it answered. */
  readonly task: TaskContext;
  /** An error: the model gave no answer. */
  readonly reply: ModelReply | ModelUnavailable;
}

const FAULTS: readonly Exclude<AnswerFault, 'none'>[] = ['truncated', 'refused', 'empty', 'only_reasoning', 'tool_use'];

/** The answer of a contract as it stands in its event. */
const answerIn = (event: Exclude<ModelEvent, { reason: string }>): object => {
  switch (event.type) {
    case 'plan.made': {
      const { status, goal, plan } = event;
      return { status, ...(goal !== undefined && { goal }), plan };
    }
    case 'thought.made': {
      const { status, current_step, next_action, more_actions, question, options, response, outcome } = event;
      return { status, current_step, next_action, more_actions, question, options, response, outcome };
    }
    case 'replan.made': {
      const { status, plan, response, outcome, answer } = event;
      return { status, plan, response, outcome, answer };
    }
    default:
      return event satisfies never;
  }
};

/** Whether a model's answer met no contract, or another one. */
export const isRefused = (event: ModelEvent): event is Extract<ModelEvent, { reason: string }> => 'reason' in event;

/** The reply of a model that became this event: its message, or its text as the event's fields tell it. */
export const replyOf = (event: ModelEvent, { language }: TaskContext): ModelReply => {
  const { message, usage = { input_tokens: 0, output_tokens: 0 } } = event;
  const { model, cost: _, ...tokens } = usage;
  const reply = { fault: 'none' as const, usage: tokens, ...(model !== undefined && { model }) };
  const { calls = [], text = '' } = message ?? {};
  if (calls.length > 0) return { ...reply, text, calls };
  if (!isRefused(event)) return { ...reply, text: JSON.stringify(answerIn(event)) };
  const { modelReply, rejections } = messages(language);
  const fault = FAULTS.find((each) => rejections[each] === event.reason) ?? 'none';
  return { ...reply, fault, text, ...(event.reason === modelReply.noCall && { calls: [] }) };
};

const replyAt = ({ entries }: RecordedTask, { entry: { event, seq } }: RecordedEntry): RecordedReply[] => {
  // The rest of a message is no answer of its own.
  const isRest = isModelEvent(event) && event.call !== undefined && event.message === undefined;
  if (isRest || !(isModelEvent(event) || event.type === 'model.unavailable')) return [];
  for (const { entry, after } of entries) {
    const asked = entry.effects.find(({ effect }) => effect === event.effect);
    if (asked === undefined || !isModelEffect(asked)) continue;
    const { context: task } = after;
    const reply = isModelEvent(event) ? replyOf(event, task) : new ModelUnavailable(event.reason);
    return [{ seq, contract: dueBy(asked).contract, task, reply }];
  }
  return [];
};

/**
 * The answers of a recorded task's models, in their order. An answer by calls is the message as it was; one by text is
 * the contract's answer as JSON, without the prose around it.
 */
export const recordedReplies = (recorded: RecordedTask): RecordedReply[] =>
  recorded.entries.flatMap((each) => replyAt(recorded, each));
