import type { Reader } from '../../contracts/event.ts';
import { messages } from '../../contracts/messages/messages.ts';
import * as replies from '../../src/models/reply/parse-model-reply.ts';

/** A model's text and how it must be read. */
export interface ReadCase<Answer> {
  name: string;
  text: string;
  reader: Reader;
  answer: Answer;
}

/** A model's text that must be refused, and what the reason must say. */
export interface RefusedCase {
  name: string;
  text: string;
  reason: RegExp;
}

/** Joins the lines of a text, so that a table needs no escapes. */
export const lines = (...each: string[]): string => each.join('\n');

/** The same reader, with its reason in English. */
const inEnglish =
  <Answer>(read: (text: string) => replies.Reading<Answer>) =>
  (text: string) => {
    const reading = read(text);
    return reading.ok ? reading : { ok: false as const, reason: reading.reason(messages('en')) };
  };

export const readPlan = inEnglish(replies.readPlan);
export const readThought = inEnglish(replies.readThought);
export const readReplan = inEnglish(replies.readReplan);
