import { messages } from '../../contracts/messages/messages.ts';
import type { Language } from '../../contracts/text.ts';
import type { Reading } from '../../src/models/reply/parse-model-reply.ts';
import {
  readPlan as readPlanReply,
  readReplan as readReplanReply,
  readThought as readThoughtReply,
} from '../../src/models/reply/parse-model-reply.ts';

/** The same reader, with its reason in a language. */
export const reasonsIn =
  <Answer>(language: Language, read: (text: string) => Reading<Answer>) =>
  (text: string) => {
    const reading = read(text);
    return reading.ok ? reading : { ok: false as const, reason: reading.reason(messages(language)) };
  };

/** The three readers, with their reasons in English. */
export const readPlan = reasonsIn('en', readPlanReply);
export const readThought = reasonsIn('en', readThoughtReply);
export const readReplan = reasonsIn('en', readReplanReply);
