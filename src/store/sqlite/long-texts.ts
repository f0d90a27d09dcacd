import type { Statement } from 'better-sqlite3';

/** Bytes from which on it is faster to read a text as bytes: below, making the bytes takes longer. */
const LONG_BYTES = 16 * 1024;

/** SQL of a column whose text may be long, under its name; a long one is given as bytes. For statements of `withLongTexts`. */
export const longText = (sql: string, name: string): string =>
  `iif(octet_length(${sql}) > ${LONG_BYTES}, CAST(${sql} AS BLOB), ${sql}) AS ${name}`;

const withTexts = <Row>(row: Row): Row => {
  const columns = row as Record<string, unknown>;
  for (const [name, value] of Object.entries(columns)) if (Buffer.isBuffer(value)) columns[name] = value.toString();
  return row;
};

/** The reads of a statement, with the texts that it gives as bytes made to strings. */
export type LongTextReads<Bound extends unknown[], Row> = Pick<Statement<Bound, Row>, 'get' | 'all' | 'iterate'>;

/** Reads the rows of a statement whose long texts come as bytes: SQLite's driver takes five times as long to make strings of Chinese ones as Node does. */
export const withLongTexts = <Bound extends unknown[], Row>(
  statement: Statement<Bound, Row>,
): LongTextReads<Bound, Row> => ({
  get: (...values) => {
    const row = statement.get(...values);
    return row === undefined ? undefined : withTexts(row);
  },
  all: (...values) => statement.all(...values).map(withTexts),
  *iterate(...values) {
    for (const row of statement.iterate(...values)) yield withTexts(row);
  },
});
