import type { Statement } from '../../lib/queries.ts';
import type { Statements, Values } from './statements.ts';

/** Rows for one statement. */
interface Batch {
  sql: string;
  rows: Values[];
  /** Characters and bytes of all values. */
  size: number;
  /** Names whose values no two rows have in common; null: they may. Undefined: it takes one row alone. */
  keys: readonly string[] | null | undefined;
  /** The values of `keys` that rows have, as text. */
  taken: Set<string>;
}

/** A statement takes no further row beyond this size: a statement is built in memory. */
const SIZE_MAX = 1_000_000;

/** Rows that wait to be sent; a work may write any number. */
const ROWS_MAX = 5_000;

const sizeOf = (values: Values): number => {
  let size = 0;
  for (const value of Object.values(values))
    if (typeof value === 'string' || value instanceof Uint8Array) size += value.length;
  return size;
};

/**
 * Collects the statements of several works, grouped before they are sent. Statements of one work keep their order;
 * those of different works do not.
 */
export const createStatementBatches = ({ keysOf }: Pick<Statements, 'keysOf'>) => {
  let batches: Batch[] = [];
  /** The place of the first batch; places only grow, so one that was sent is in front of all. */
  let first = 0;
  let rowCount = 0;

  const takes = ({ rows, size, keys, taken }: Batch, key: string): boolean => {
    if (keys === undefined) return rows.length === 0;
    return size < SIZE_MAX && (keys === null || !taken.has(key));
  };

  return {
    /** Adds a statement at or behind the place of the one before it, and gives its own place. */
    add: ({ sql, values }: Statement, after: number): number => {
      const keys = keysOf(sql);
      const key = keys ? JSON.stringify(keys.map((name) => values[name])) : '';
      let index = batches.findIndex(
        (batch, number) => first + number >= after && batch.sql === sql && takes(batch, key),
      );
      if (index === -1) index = batches.push({ sql, keys, rows: [], size: 0, taken: new Set() }) - 1;
      const batch = batches[index]!;
      batch.rows.push(values);
      batch.size += sizeOf(values);
      batch.taken.add(key);
      rowCount += 1;
      return first + index;
    },
    areMany: (): boolean => rowCount >= ROWS_MAX,
    /** Removes everything added since the last call, in sending order. */
    take: (): { sql: string; rows: Values[] }[] => {
      const taken = batches;
      first += batches.length;
      batches = [];
      rowCount = 0;
      return taken;
    },
  };
};
