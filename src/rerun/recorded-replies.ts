import type { AnswerContract } from '../../contracts/calls.ts';
import type { EventOf } from '../../contracts/event.ts';
import { messages } from '../../contracts/messages/messages.ts';
import type { TaskContext } from '../../contracts/task.ts';
import { dueBy, isModelEffect } from '../../machines/model-effects.ts';
import { contractOf, isModelEvent, type ModelEvent } from '../../machines/pending-calls.ts';
import { type AnswerFault, type ModelReply, ModelUnavailable } from '../models/port.ts';
import type { RecordedEntry, RecordedTask } from './recording.ts';

/** A model's reply at an entry of a recording, with the request that it answers. */
export interface RecordedReply {
  /** The entry that the answer became. */
  readonly seq: number;
  readonly contract: AnswerContract;
  /** The task that the model was asked about. */
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

const isRefused = (event: ModelEvent): event is Extract<ModelEvent, { reason: string }> => 'reason' in event;

/** The reply of a model that became this event: its message, or its text as the event's fields tell it. */
const replyOf = (event: ModelEvent, { language }: TaskContext): ModelReply => {
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

/** The contract that a task's open effect asks for; null: it asks no model. */
const contractDue = (
  { entries }: RecordedTask,
  at: number,
  event: EventOf<'model.unavailable'>,
): AnswerContract | null => {
  const effects = entries.slice(0, at).flatMap(({ entry }) => entry.effects);
  const failed = effects.find(({ effect }) => effect === event.effect);
  return failed !== undefined && isModelEffect(failed) ? dueBy(failed).contract : null;
};

const replyAt = (recorded: RecordedTask, { entry, before }: RecordedEntry, at: number): RecordedReply[] => {
  const { event, seq } = entry;
  if (before === null) return [];
  const { context: task } = before;
  if (event.type === 'model.unavailable') {
    const contract = contractDue(recorded, at, event);
    return contract === null ? [] : [{ seq, contract, task, reply: new ModelUnavailable(event.reason) }];
  }
  // The rest of a message is no answer of its own.
  if (!isModelEvent(event) || (event.call !== undefined && event.message === undefined)) return [];
  return [{ seq, contract: contractOf(event), task, reply: replyOf(event, task) }];
};

/**
 * The answers of a recorded task's models, in their order. An answer by calls is the message as it was; one by text is
 * the contract's answer as JSON, without the prose around it.
 */
export const recordedReplies = (recorded: RecordedTask): RecordedReply[] =>
  recorded.entries.flatMap((each, at) => replyAt(recorded, each, at));
