import { z } from 'zod';

/** Reads an optional text so that null, absence and the empty string are one thing: undefined (SPEC 5). */
export const absentIfEmpty = (text: z.ZodString) =>
  z
    .union([text, z.null()])
    .optional()
    .transform((value) => (value === null || value === undefined || value.trim() === '' ? undefined : value));

/** Reads an optional text so that absence and the empty string both become null (SPEC 5). */
export const nullIfEmpty = (text: z.ZodString) =>
  z
    .union([text, z.null()])
    .optional()
    .transform((value) => (value === undefined || value === null || value.trim() === '' ? null : value));
