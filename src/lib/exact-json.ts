/** A JSON string or number. */
const STRING_OR_NUMBER = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?/gs;

/** Digits or an exponent that only an inexact number can have. Most texts contain neither. */
const LONG_NUMBER = /\d{16}|\d[eE]\+?\d{3}/;

const WHOLE_PART = /^-?\d{16,}/;

/** Whether `JSON.parse` changes the number: an integer above 2^53 that is rounded, or one too large for any number. */
export const isRounded = (number: string): boolean => {
  const whole = WHOLE_PART.exec(number)?.[0];
  return (whole !== undefined && String(Number(whole)) !== whole) || !Number.isFinite(Number(number));
};

/** Whether valid JSON contains a number that `JSON.parse` silently changes. Ignores strings. */
export const hasRoundedNumber = (json: string): boolean =>
  LONG_NUMBER.test(json) &&
  (json.match(STRING_OR_NUMBER) ?? []).some((token) => !token.startsWith('"') && isRounded(token));

/** Not in the type checker's library yet. */
const { rawJSON } = JSON as unknown as { rawJSON(text: string): unknown };

/**
 * Parses JSON, but keeps each number that `JSON.parse` would round as it is written, so that `JSON.stringify` returns
 * it unchanged. Nothing else reads such a number.
 */
export const parseExactly = (json: string): unknown =>
  hasRoundedNumber(json)
    ? JSON.parse(json, (_key: string, value: unknown, context?: { source?: string }) => {
        const source = context?.source ?? '';
        return typeof value === 'number' && isRounded(source) ? rawJSON(source) : value;
      })
    : JSON.parse(json);
