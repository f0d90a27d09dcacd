import type { Reader } from '../../contracts/event.ts';

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
