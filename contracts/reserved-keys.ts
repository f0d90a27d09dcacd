import { z } from 'zod';

/** The error for a value that fits no schema. */
const Unlike = z.custom<never>(() => false, 'must have a text or a list where it has an object with a "length"');

/**
 * `safeParse` for a value that anybody may have made. It never throws, also where an object stands in place of a text or a list and its
 * `length` can't be compared with a number, such as `{"length": {"toString": 1}}`.
 */
export const checked = <Output>(schema: z.ZodType<Output>, value: unknown): z.ZodSafeParseResult<Output> => {
  try {
    return schema.safeParse(value);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return Unlike.safeParse(value);
  }
};

/** A list that somebody else may have written, of which the first fault alone is named. */
export const listOf = <Item>(shape: z.ZodType<Item>) =>
  z.array(z.unknown()).transform((entries, ctx): Item[] => {
    const items: Item[] = [];
    for (const entry of entries) {
      const { data, error } = checked(shape, entry);
      if (error !== undefined) {
        ctx.addIssue({ code: 'custom', message: `entry ${items.length} is none: ${error.issues[0]?.message}` });
        return z.NEVER;
      }
      items.push(data);
    }
    return items;
  });

/** Keys that could reach a prototype: no outside text may have one. */
export const RESERVED_KEYS: readonly string[] = ['__proto__', 'constructor'];

/**
 * The first own key anywhere in a parsed value that could reach a prototype, or null (SPEC 5). Checks parsed keys, so
 * escaped spellings don't hide one. Recurses: the value's depth must be bounded by `JSON_DEPTH_MAX`.
 */
export function reservedKey(value: unknown): string | null {
  if (typeof value !== 'object' || value === null) return null;
  const own = RESERVED_KEYS.find((key) => Object.hasOwn(value, key));
  if (own !== undefined) return own;
  for (const inner of Object.values(value)) {
    const found = reservedKey(inner);
    if (found !== null) return found;
  }
  return null;
}
