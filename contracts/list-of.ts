import { z } from 'zod';
import { checked } from './checked.ts';

/**
 * A list in a file or a document that somebody else may have written, of which the first fault alone is named: it may have nothing but faults, each of which
 * takes as long to explain as a hundred entries to read.
 */
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
