import type { Database } from 'better-sqlite3';
import { addAmounts } from '../../../contracts/usage.ts';
import type { Queries, Row, Value } from '../../lib/queries.ts';

/** A text of the store for SQLite: without the parts in braces, as its ids are sufficient. */
export const inSqlite = (sql: string): string => sql.replaceAll(/\{[^{}]*\}/g, '');

/**
 * Prepares a statement's text, with the names of its values in order. Values are bound by position, which is faster than
 * by name, and hidden from SQLite's planner: it replans a statement whose plan depends on a value at each call, which
 * takes ten times as long as most queries. An INSERT has no plan.
 */
const prepare = (db: Database, sql: string) => {
  const names: string[] = [];
  const place = sql.startsWith('INSERT') ? '?' : 'coalesce(?, NULL)';
  const placed = inSqlite(sql).replaceAll(/@(\w+)/g, (_, name: string) => {
    names.push(name);
    return place;
  });
  const statement = db.prepare(placed);
  return { statement, names, readonly: statement.readonly };
};

/**
 * Creates a function that runs a work's statements at once, inside the open transaction. Throws what the work or its
 * SQL throws. `onWrite` is called behind each statement that may have written.
 */
export const createStatementRunner = (db: Database, onWrite = () => {}) => {
  db.function('add_amounts', { deterministic: true }, (one, other) => addAmounts(String(one), String(other)));
  // SQLite's own function only handles A to Z.
  db.function('lower', { deterministic: true }, (text) => (text === null ? null : String(text).toLowerCase()));
  const prepared = new Map<string, ReturnType<typeof prepare>>();
  return <Result>(work: Queries<Result>): Result => {
    let next = work.next();
    while (next.done !== true) {
      const { sql, values } = next.value;
      let known = prepared.get(sql);
      if (known === undefined) {
        known = prepare(db, sql);
        prepared.set(sql, known);
      }
      const { statement, names, readonly } = known;
      const bound: Value[] = [];
      for (const name of names) {
        const value = values[name];
        if (value === undefined) throw new RangeError(`a statement has no value for @${name}`);
        bound.push(value);
      }
      let rows: Row[] = [];
      if (statement.reader) rows = statement.all(bound) as Row[];
      else statement.run(bound);
      if (!readonly) onWrite();
      next = work.next(rows);
    }
    return next.value;
  };
};
