import { INPUT_BYTES_MAX } from '../contracts/limits.ts';

const CANCEL = ['/cancel', 'cancel task', '取消当前任务', '取消任务'];
/** What agrees, as a whole answer. */
export const YES: readonly string[] = [
  'yes',
  'y',
  'ok',
  'okay',
  'sure',
  'go ahead',
  'confirm',
  'confirmed',
  'looks good',
  'do it',
  'proceed',
].concat(['是', '是的', '好', '好的', '可以', '行', '确认', '同意', '没问题', '对', '执行']);
const NO = ['no', 'n', 'nope', 'cancel', 'stop', 'abort', 'no thanks', "don't", 'do not'].concat([
  '不',
  '不要',
  '不行',
  '不用',
  '不可以',
  '否',
  '取消',
  '算了',
  '不同意',
]);

/** Longest text that can be one of the phrases, in characters: several times the longest, for spaces and punctuation. */
const PHRASE_CHARS_MAX = 200;

/** The whole text, trimmed, in lower case, single-spaced, with plain apostrophes and without closing punctuation; empty for a longer one. */
const bare = (text: string): string => {
  const trimmed = text.trim();
  if (trimmed.length > PHRASE_CHARS_MAX) return '';
  return trimmed
    .toLowerCase()
    .replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '')
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ');
};

/** True for a whole input that says "cancel the task" (SPEC 2); never for a part of one. */
export const isCancelPhrase = (input: string): boolean => CANCEL.includes(input.trim().toLowerCase());

/** True for a whole input that agrees to a plan (SPEC 3, confirm_plan). */
export const isYes = (input: string): boolean => YES.includes(bare(input));

/** True for a whole input that refuses a plan (SPEC 3, confirm_plan). */
export const isNo = (input: string): boolean => NO.includes(bare(input));

/** True when two questions are the same but for case, spacing and punctuation (SPEC 6); texts longer than an input are compared as they are. */
export const isSameQuestion = (one: string, other: string): boolean => {
  if (Math.max(one.length, other.length) > INPUT_BYTES_MAX) return one === other;
  const letters = (text: string): string => text.toLowerCase().replace(/[\p{P}\s]+/gu, '');
  return letters(one) === letters(other);
};
