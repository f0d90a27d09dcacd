import { ServiceError } from '../../lib/errors.ts';
import { CURSOR, type Page } from '../../lib/page.ts';

/** Larger than the number of any row. */
export const NEWEST = Number.MAX_SAFE_INTEGER;

/** Rows with their positions in a list as a page, with the cursor of the next one if there may be one. */
export const pageOf = <Row extends { cursor: number | string }, Item>(
  rows: readonly Row[],
  limit: number,
  itemOf: (row: Omit<Row, 'cursor'>) => Item,
): Page<Item> => ({
  items: rows.map(({ cursor: _, ...row }) => itemOf(row)),
  next: rows.length < limit ? null : String(rows.at(-1)!.cursor),
});

/** The position in a list by time that a cursor names. `INVALID_REQUEST` for an invalid cursor. */
export const placeAfter = (cursor: string): { at: number; id: number } => {
  if (!CURSOR.test(cursor)) throw new ServiceError('INVALID_REQUEST', 'The cursor is not the `next` of another page');
  const [at = '', id = NEWEST] = cursor.split('.');
  return { at: Number(at), id: Number(id) };
};
