import type { NextAction } from '../../contracts/answer.ts';

const sorted = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([name, inner]) => [name, sorted(inner)]));
};

/** A JSON value as text, whatever the order of its fields. */
export const canonicalJson = (value: unknown): string => JSON.stringify(sorted(value)) ?? 'null';

/** An input of a tool without differences that mean nothing: of JSON the order of fields and blanks, else blanks at the ends. */
export const canonicalInput = (input: string): string => {
  const text = input.trim();
  if (!/^[[{]/.test(text)) return text;
  try {
    return canonicalJson(JSON.parse(text));
  } catch {
    return text;
  }
};

/** A call as a key. No tool's name has a line break. */
export const callKey = ({ tool, input }: NextAction): string => `${tool}\n${canonicalInput(input)}`;
