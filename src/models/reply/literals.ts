/** Words of JSON, Python and JavaScript that are values. What no JSON can say is null, as `JSON.stringify` has it. */
const WORDS = new Map<string, boolean | null>([
  ['true', true],
  ['True', true],
  ['TRUE', true],
  ['false', false],
  ['False', false],
  ['FALSE', false],
  ['null', null],
  ['None', null],
  ['NULL', null],
  ['undefined', null],
  ['NaN', null],
  ['Infinity', null],
  ['-Infinity', null],
]);

/** Longest number read, in characters: beyond it no number keeps its digits. */
const NUMBER_CHARS_MAX = 64;

const DECIMAL = /^[-+]?(?:(?:0|[1-9][\d_]*)(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d+)?n?$/;
const OTHER_BASE = /^0(?:[xX][\da-fA-F_]+|[oO][0-7_]+|[bB][01_]+)n?$/;
const NAME = /^(?:[\p{L}_$][\p{L}\p{N}_$-]*|\d+)$/u;

/** The value that an unquoted word is, or undefined when it is none or too large. A leading zero says nothing sure about the base. */
export const literalOf = (word: string): boolean | number | null | undefined => {
  const known = WORDS.get(word);
  if (known !== undefined) return known;
  if (word.length > NUMBER_CHARS_MAX || !(DECIMAL.test(word) || OTHER_BASE.test(word))) return undefined;
  const digits = word.replaceAll('_', '').replace(/n$/, '');
  const value = Number(digits);
  if (!Number.isFinite(value)) return null;
  // It has lost digits: as a part of a tool's input it would be another one.
  const isWhole = !/[.eE]/.test(digits);
  return isWhole && String(value) !== digits && BigInt(digits) !== BigInt(value) ? undefined : value;
};

/** True for a word that may be a key without quotes. */
export const isName = (word: string): boolean => word.length <= NUMBER_CHARS_MAX && NAME.test(word);
