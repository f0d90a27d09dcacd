import { z } from 'zod';

/** True for what SPEC 5 counts as null: null, absence, the empty string, and one of blanks alone. */
export const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** Reads an optional text so that null, absence and the empty string are one thing: undefined (SPEC 5). */
export const absentIfEmpty = (text: z.ZodString) =>
  text
    .nullish()
    .transform((value) => (isBlank(value) ? undefined : (value ?? undefined)))
    .pipe(z.string().optional())
    .optional();

/** Reads an optional text so that absence and the empty string both become null (SPEC 5). */
export const nullIfEmpty = (text: z.ZodString) =>
  text.nullish().transform((value) => (isBlank(value) ? null : (value ?? null)));

/** Reads an optional value so that null and the empty string are one thing with its absence: undefined (SPEC 5). */
export const blankAsAbsent = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (isBlank(given) ? undefined : given), value.optional()).optional();

/** Reads an optional list or object so that the empty string counts as null there too (SPEC 5). */
export const blankAsNull = <Value extends z.ZodType>(value: Value) =>
  z.preprocess((given) => (isBlank(given) ? null : given), value.nullable()).optional();
