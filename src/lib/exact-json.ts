/** A string of JSON, or a number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;

/** Digits or an exponent that only a number has which may not be exact; most texts have neither. */
const LONG_NUMBER = /\d{16}|\d[eE]\+?\d{3}/;

const WHOLE_PART = /^-?\d{16,}/;

/** Whether `JSON.parse` makes another number of it: an integer above 2^53 that is rounded, or one that is too large for any number. */
export const isRounded = (number: string): boolean => {
  const whole = WHOLE_PART.exec(number)?.[0];
  return (whole !== undefined && String(Number(whole)) !== whole) || !Number.isFinite(Number(number));
};

/** Whether a text that is valid JSON has a number that `JSON.parse` changes without a word. Looks at no string. */
export const hasRoundedNumber = (json: string): boolean =>
  LONG_NUMBER.test(json) &&
  (json.match(STRING_OR_NUMBER) ?? []).some((token) => !token.startsWith('"') && isRounded(token));

/** A part of the language that the checker does not know yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/** Parses JSON, but leaves each number that `JSON.parse` would round as it is written: `JSON.stringify` gives it back unchanged. Nothing else reads such a number. */
export const parseExactly = (json: string): unknown =>
  hasRoundedNumber(json)
    ? JSON.parse(json, (_key: string, value: unknown, context?: { source?: string }) => {
        const source = context?.source ?? '';
        return typeof value === 'number' && isRounded(source) ? rawJSON(source) : value;
      })
    : JSON.parse(json);
