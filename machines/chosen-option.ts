import { isSameQuestion } from './phrases.ts';

/** Longest answer that can be an option's number, in characters: several times the longest. */
const NUMBER_CHARS_MAX = 16;

/** An option's number as people write it: `2`, `2.`, `(2)`, `２、`. */
const NUMBER = /^\(?(\d{1,2})[.)、。]?$/;

/**
 * What an answer means where a question has options (SPEC 5): the option of its text or of its number in the list, else the answer
 * itself. An option's own text comes before its number, so that the option `2` may be the third.
 */
export const chosenOption = (options: string[], answer: string): string => {
  const said = answer.trim();
  if (options.includes(said)) return said;
  const [, number] = said.length > NUMBER_CHARS_MAX ? [] : (NUMBER.exec(said.normalize('NFKC')) ?? []);
  const numbered = number === undefined ? undefined : options[Number(number) - 1];
  if (numbered !== undefined) return numbered;
  const alike = options.filter((option) => isSameQuestion(option, said));
  return alike.length === 1 ? alike[0]! : answer;
};
