export type Row = Record<string, unknown>;

/** A value of a statement. Lists and objects are passed as JSON text. */
export type Value = string | number | Uint8Array | null;

/**
 * One SQL statement in the dialect that all databases accept, with named values (`@owner` in the text, `owner` here).
 * The text is one of a fixed set, so that a database can prepare it once; everything from a caller is in the values.
 * Text in braces is for a database whose keys begin with the owner: `WHERE {owner = @owner AND} id = @id`. One whose
 * ids are sufficient omits it.
 */
export interface Statement {
  readonly sql: string;
  readonly values: Readonly<Record<string, Value>>;
  /** Whether the work waits for its rows. A database may send a statement without rows and go on. */
  readonly needsRows: boolean;
}

/**
 * Work that yields statements and continues with their rows, now or later: `yield*` is to it what `await` is to an
 * async function. A database runs it inside one transaction. It never starts or ends one, and keeps no state outside
 * itself: it may run again from its start if the transaction could not be committed.
 */
export type Queries<Result> = Generator<Statement, Result, Row[]>;

/** The condition that a row belongs to the owner, by that column; null: any owner. */
export const isOf = (owner: string | null, column = 'owner'): string =>
  owner === null ? 'true' : `${column} = @owner`;

/** Runs one statement and returns its rows; empty for a statement that returns none. */
export function* query<Answer>(sql: string, values: Statement['values']): Queries<Answer[]> {
  return (yield { sql, values, needsRows: true }) as Answer[];
}

/** Runs a statement with at most one row; null: none. */
export function* queryOne<Answer>(sql: string, values: Statement['values']): Queries<Answer | null> {
  const [row] = yield { sql, values, needsRows: true };
  return (row ?? null) as Answer | null;
}

/** A statement whose rows nobody needs. */
export const statement = (sql: string, values: Statement['values']): Statement => ({ sql, values, needsRows: false });

/** Runs a statement that changes something, without waiting for it. */
export function* execute(sql: string, values: Statement['values']): Queries<void> {
  yield { sql, values, needsRows: false };
}

/** Work without a statement, where `Queries` are expected. */
// biome-ignore lint/correctness/useYield: that it runs no statement is the point.
export function* noQueries<Result>(work: () => Result): Queries<Result> {
  return work();
}

/** Data that belongs to an owner and not to one session's history: todos, schedule, reminders, named plans. */
export interface OwnerData {
  /**
   * Runs work in its own transaction, all or nothing, perhaps more than once. `owner`: whose data it writes; null: it
   * only reads.
   */
  run<Result>(owner: string | null, work: () => Queries<Result>): Promise<Result>;
}
