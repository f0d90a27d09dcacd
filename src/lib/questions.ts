export type Row = Record<string, unknown>;

/** A value of a question; a list or an object is given as JSON text. */
export type Value = string | number | Uint8Array | null;

/**
 * One SQL statement in the dialect that all databases take, with its values by name (`@owner` in the text, `owner` here). The
 * text is one of a fixed few, so that a database can prepare it once; whatever a caller gives is in the values. What stands in braces is
 * for a database whose keys begin with the owner: `WHERE {owner = @owner AND} id = @id`. One whose ids are enough leaves it out.
 */
export interface Question {
  readonly sql: string;
  readonly values: Readonly<Record<string, Value>>;
  /** Nobody needs its rows, so a database may send it and go on. */
  readonly isTold: boolean;
}

/**
 * Work that asks questions and continues with their answers, which may come at once or later: `yield*` is to it what `await` is
 * to an async function. A database answers it inside one transaction. It never starts or ends one, and it keeps no state outside
 * itself: it may be run again from its start, where the transaction could not be committed.
 */
export type Asking<Result> = Generator<Question, Result, Row[]>;

/** The condition that a row is the owner's, by that column; null: whoever's it is. */
export const isOf = (owner: string | null, column = 'owner'): string =>
  owner === null ? 'true' : `${column} = @owner`;

/** Asks one question, and returns its rows: none for a statement that returns nothing. `Row` says what the columns are. */
export function* ask<Answer>(sql: string, values: Question['values']): Asking<Answer[]> {
  return (yield { sql, values, isTold: false }) as Answer[];
}

/** Asks a question of one row at most; null where there is none. */
export function* askOne<Answer>(sql: string, values: Question['values']): Asking<Answer | null> {
  const [row] = yield { sql, values, isTold: false };
  return (row ?? null) as Answer | null;
}

/** A question that changes something, and that nobody needs an answer to. */
export const told = (sql: string, values: Question['values']): Question => ({ sql, values, isTold: true });

/** Tells the database to change something, and continues without an answer. */
export function* tell(sql: string, values: Question['values']): Asking<void> {
  yield { sql, values, isTold: true };
}

/** Work that has nothing to ask, where work that may ask is called for. */
// biome-ignore lint/correctness/useYield: that it asks nothing is the point.
export function* askNothing<Result>(work: () => Result): Asking<Result> {
  return work();
}

/** The data that belongs to an owner and not to one session's history: todos, schedule, reminders, named plans. */
export interface OwnerData {
  /** Runs work in a transaction of its own, all or nothing, perhaps more than once. `owner`: whose data it writes, null where it only reads. */
  run<Result>(owner: string | null, work: () => Asking<Result>): Promise<Result>;
}
