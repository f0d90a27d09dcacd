import type { FormSchema } from '../../../contracts/tool-question.ts';

/** Characters that a line of `field: value` gives another meaning. */
const UNSAFE = /[\n:：,，、;；]/;

const isPlainName = (name: string): boolean => !UNSAFE.test(name) && name.trim() === name;

const isPlain = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.length > 0 && value.every((each) => !UNSAFE.test(String(each)));
  const text = String(value);
  return !text.includes('\n') && text.trim() === text;
};

/**
 * The values of a form as an answer that the service reads back as the same values (SPEC 6): lines of `field: value`
 * where that is certain, since a person reads the conversation later, else JSON.
 */
export const answerToForm = ({ properties }: FormSchema, values: Readonly<Record<string, unknown>>): string => {
  const names = Object.keys(properties);
  if (names.length === 0) return 'yes';
  const entries = names.flatMap((name) => (values[name] === undefined ? [] : [[name, values[name]] as const]));
  // The service knows a field by its name or its title, in any case.
  const known = Object.entries(properties).flatMap(([name, { title = name }]) => [
    ...new Set([name.toLowerCase(), title.toLowerCase()]),
  ]);
  const isCertain =
    entries.length > 0 &&
    new Set(known).size === known.length &&
    entries.every(([name, value]) => isPlainName(name) && isPlain(value));
  if (!isCertain) return JSON.stringify(Object.fromEntries(entries));
  return entries
    .map(([name, value]) => `${name}: ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join('\n');
};
