export type Row = Record<string, unknown>;

/** A value of a question. Lists and objects are passed as JSON text. */
export type Value = string | number | Uint8Array | null;

/**
 * One SQL statement in the dialect that all databases accept, with named values (`@owner` in the text, `owner` here).
 * The text is one of a fixed set, so that a database can prepare it once; everything from a caller is in the values.
 * Text in braces is for a database whose keys begin with the owner: `WHERE {owner = @owner AND} id = @id`. One whose
 * ids are sufficient omits it.
 */
export interface Question {
  readonly sql: string;
  readonly values: Readonly<Record<string, Value>>;
  /** Nobody needs its rows, so a database may send it without waiting. */
  readonly isTold: boolean;
}

/**
 * Work that asks questions and continues with their answers, now or later: `yield*` is to it what `await` is to an
 * async function. A database runs it inside one transaction. It never starts or ends one, and keeps no state outside
 * itself: it may run again from its start if the transaction could not be committed.
 */
export type Asking<Result> = Generator<Question, Result, Row[]>;

/** The condition that a row belongs to the owner, by that column; null: any owner. */
export const isOf = (owner: string | null, column = 'owner'): string =>
  owner === null ? 'true' : `${column} = @owner`;

/**
 * Asks one question and returns its rows; empty for a statement that returns none. `Row` is the type of its columns.
 */
export function* ask<Answer>(sql: string, values: Question['values']): Asking<Answer[]> {
  return (yield { sql, values, isTold: false }) as Answer[];
}

/** Asks a question with at most one row; null: none. */
export function* askOne<Answer>(sql: string, values: Question['values']): Asking<Answer | null> {
  const [row] = yield { sql, values, isTold: false };
  return (row ?? null) as Answer | null;
}

/** A question that changes something and whose answer nobody needs. */
export const told = (sql: string, values: Question['values']): Question => ({ sql, values, isTold: true });

/** Makes the database change something, and continues without an answer. */
export function* tell(sql: string, values: Question['values']): Asking<void> {
  yield { sql, values, isTold: true };
}

/** Work without questions, where work that may ask is expected. */
// biome-ignore lint/correctness/useYield: that it asks nothing is the point.
export function* askNothing<Result>(work: () => Result): Asking<Result> {
  return work();
}

/** Data that belongs to an owner and not to one session's history: todos, schedule, reminders, named plans. */
export interface OwnerData {
  /**
   * Runs work in its own transaction, all or nothing, perhaps more than once. `owner`: whose data it writes; null: it
   * only reads.
   */
  run<Result>(owner: string | null, work: () => Asking<Result>): Promise<Result>;
}
