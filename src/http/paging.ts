import { z } from 'zod';
import { CURSOR, type PageRequest } from '../lib/page.ts';

/** Items in one reply: what a person scrolls through, and the most that a client may ask for. */
const ITEMS_DEFAULT = 50;
const ITEMS_MAX = 500;

/** The query of every list: which page of it is wanted (SPEC 11). */
export const Paging = z.strictObject({
  limit: z
    .string()
    .regex(/^[1-9]\d{0,2}$/, `must be 1 to ${ITEMS_MAX}`)
    .transform(Number)
    .refine((limit) => limit <= ITEMS_MAX, `must be 1 to ${ITEMS_MAX}`)
    .optional()
    .meta({
      ...{ type: 'integer', minimum: 1, maximum: ITEMS_MAX, pattern: undefined },
      description: `At most so many, up to ${ITEMS_MAX}; default ${ITEMS_DEFAULT}.`,
    }),
  cursor: z
    .string()
    .regex(CURSOR, 'must be the `next` of another page')
    .optional()
    .meta({ description: 'The `next` of the page before; without it, the first page.' }),
});

/** The cursor of the next page of a list. */
export const nextCursor = z
  .string()
  .nullable()
  .meta({ description: 'The `cursor` of the next page; null at the end.' });

/** The page that a list's query asks for. */
export const pageOf = ({ limit = ITEMS_DEFAULT, cursor }: z.infer<typeof Paging>): PageRequest => ({
  limit,
  after: cursor,
});
