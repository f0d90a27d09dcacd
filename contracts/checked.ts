import { z } from 'zod';

/** What fits no schema. */
const Unlike = z.custom<never>(() => false, 'must have a text or a list where it has an object with a "length"');

/**
 * What a schema says of a value that anybody may have made, as `safeParse` does. That one throws where an object stands in place of a text or a list and its
 * `length` can't be compared with a number, such as `{"length": {"toString": 1}}`: it fits no schema then.
 */
export const checked = <Output>(schema: z.ZodType<Output>, value: unknown): z.ZodSafeParseResult<Output> => {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return Unlike.safeParse(value);
  }
};
