import type { JudgedAnswer } from '../../contracts/call-rerun.ts';
import type { AnswerContract } from '../../contracts/calls.ts';
import type { ModelCall } from '../../contracts/model-call.ts';
import type { CallUsage } from '../../contracts/usage.ts';
import type { ModelEvent } from '../../machines/pending-calls.ts';
import type { ModelReply } from '../models/port.ts';
import { readMessage } from '../models/reply/read-message.ts';
import type { RecordedCall } from './recorded-call.ts';
import { isRefused, replyOf } from './recorded-replies.ts';

/** No answer came, for this reason. */
export const noAnswer = (model: string | null, reason: string, duration_ms: number): JudgedAnswer => ({
  model,
  text: null,
  fault: null,
  is_accepted: false,
  reason,
  usage: null,
  duration_ms: Math.round(duration_ms),
});

const judged = (
  event: ModelEvent,
  { text, calls = [], fault }: Pick<ModelReply, 'text' | 'calls' | 'fault'>,
  usage: CallUsage | null,
  duration_ms: number,
): JudgedAnswer => ({
  model: usage?.model ?? null,
  text,
  ...(calls.length > 0 && { calls: [...calls] }),
  fault,
  is_accepted: !isRefused(event),
  reason: isRefused(event) ? event.reason : null,
  usage,
  duration_ms: Math.round(duration_ms),
});

/** The recorded answer: as it was kept, else as its event has it. `kept`: the call that gave it; null: it is not kept. */
export const recordedAnswer = (
  { event, task, askedAt, overAt }: RecordedCall,
  kept: ModelCall | null,
): JudgedAnswer => {
  const took = kept?.duration_ms ?? overAt - askedAt;
  if (event.type === 'model.unavailable') return noAnswer(kept?.model ?? null, event.reason, took);
  const stored = replyOf(event, task);
  const said = { ...stored, text: kept?.answer ?? stored.text, calls: kept?.calls ?? stored.calls ?? [] };
  const answer = judged(event, said, event.usage ?? null, took);
  return { ...answer, model: answer.model ?? kept?.model ?? null };
};

/** A new answer to the contract, read as the task would have read it. Changes nothing. */
export const judgeAnswer = (
  contract: AnswerContract,
  { task, effect }: Pick<RecordedCall, 'task' | 'effect'>,
  reply: ModelReply,
  usage: CallUsage,
  duration_ms: number,
): JudgedAnswer => judged(readMessage(contract, task, effect.effect, { ...reply, usage }), reply, usage, duration_ms);
