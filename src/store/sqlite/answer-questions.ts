import type { Database, Statement } from 'better-sqlite3';
import type { Asking, Row } from '../questions.ts';

/** Answers a work's questions at once, inside whatever transaction is open. Throws what the work or its SQL throws. */
export type AnswerQuestions = <Result>(work: Asking<Result>) => Result;

/**
 * Hides bound values from SQLite's planner. A statement in whose plan it sees one is planned anew at each call, which takes ten times as
 * long as most queries. A row that is inserted has no plan.
 */
const withHiddenValues = (sql: string): string =>
  /^\s*INSERT/.test(sql) ? sql : sql.replaceAll(/@\w+/g, 'coalesce($&, NULL)');

/** Creates a function that answers questions from a database; it prepares each statement once and starts no transaction. */
export const answerQuestions = (db: Database): AnswerQuestions => {
  const prepared = new Map<string, Statement>();
  const statementOf = (sql: string): Statement => {
    const known = prepared.get(sql);
    if (known !== undefined) return known;
    const made = db.prepare(withHiddenValues(sql));
    prepared.set(sql, made);
    return made;
  };
  return (work) => {
    let next = work.next();
    while (next.done !== true) {
      const { sql, values } = next.value;
      const statement = statementOf(sql);
      if (statement.reader) next = work.next(statement.all(values) as Row[]);
      else {
        statement.run(values);
        next = work.next([]);
      }
    }
    return next.value;
  };
};
