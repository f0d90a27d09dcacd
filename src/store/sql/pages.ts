import { ServiceError } from '../../lib/errors.ts';
import { CURSOR, type Page } from '../../lib/page.ts';

/** Greater than every number of a row. */
export const NEWEST = Number.MAX_SAFE_INTEGER;

/** Rows as a page, with the cursor of the next one where there may be one. */
export const pageOf = <Row, Item>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (row: Row) => number | string,
  itemOf: (row: Row) => Item,
): Page<Item> => ({
  items: rows.map(itemOf),
  next: rows.length < limit ? null : String(cursorOf(rows.at(-1)!)),
});

/** The place in a list by time that a cursor names. `INVALID_REQUEST` for what is no cursor. */
export const placeAfter = (cursor: string): { at: number; id: number } => {
  if (!CURSOR.test(cursor)) throw new ServiceError('INVALID_REQUEST', 'The cursor is not the `next` of another page');
  const [at = '', id = NEWEST] = cursor.split('.');
  return { at: Number(at), id: Number(id) };
};
