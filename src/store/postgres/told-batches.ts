import type { Question } from '../../lib/questions.ts';
import type { Statements, Values } from './statements.ts';

/** Rows for one statement. */
interface Batch {
  sql: string;
  rows: Values[];
  /** What the rows must not have in common, as text; null: nothing. Undefined: it takes one row alone. */
  keys: readonly string[] | null | undefined;
  taken: Set<string>;
}

/**
 * What several works tell, put together by statement before it is sent. Each work's questions keep their order among themselves; those of
 * different works don't.
 */
export const createToldBatches = ({ keysOf }: Pick<Statements, 'keysOf'>) => {
  let batches: Batch[] = [];

  const takes = ({ rows, keys, taken }: Batch, key: string): boolean =>
    keys === undefined ? rows.length === 0 : keys === null || !taken.has(key);

  return {
    /** Adds a question behind the place of the one before it, and gives its own place. */
    add: ({ sql, values }: Question, after: number): number => {
      const keys = keysOf(sql);
      const key = keys ? JSON.stringify(keys.map((name) => values[name])) : '';
      let place = batches.findIndex((batch, number) => number >= after && batch.sql === sql && takes(batch, key));
      if (place === -1) place = batches.push({ sql, keys, rows: [], taken: new Set() }) - 1;
      const { rows, taken } = batches[place]!;
      rows.push(values);
      taken.add(key);
      return place;
    },
    /** All that was added since it was taken last, in the order in which it is to be sent. */
    take: (): { sql: string; rows: Values[] }[] => {
      const taken = batches;
      batches = [];
      return taken;
    },
  };
};
