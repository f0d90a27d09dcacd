/** Longest text that is read as JSON, in characters: a longer one is shown as it is. */
const JSON_CHARS_MAX = 1_000_000;

type Reviver = (key: string, value: unknown, context?: { source?: string }) => unknown;

/** An integer above 2^53 keeps its digits: JSON.parse rounds it without a word. */
const withDigits: Reviver = (_, value, context) =>
  typeof value === 'number' && !Number.isSafeInteger(value) && /^-?\d+$/.test(context?.source ?? '')
    ? BigInt(context?.source ?? '')
    : value;

/** The object or array that a text is; null: it is anything else, which is read best as it stands. */
export const jsonIn = (text: string): object | null => {
  if (text.length > JSON_CHARS_MAX || !/^\s*[{[]/.test(text)) return null;
  try {
    return JSON.parse(text, withDigits as Parameters<typeof JSON.parse>[1]) as object;
  } catch {
    return null;
  }
};
