import type pg from 'pg';
import type { Asking, Question, Row, Value } from '../../lib/questions.ts';

/** A fault of a statement, its cause, and not of the work that asked it. */
export class StatementFault extends Error {
  override name = 'StatementFault';
}

/** A connection, or a pool that has one for each question. */
type Queried = Pick<pg.ClientBase | pg.Pool, 'query'>;

/** A question as PostgreSQL takes it: prepared under a name of its own, with its values by their place. */
interface Placed {
  name: string;
  text: string;
  names: readonly string[];
}

const placed = (sql: string, number: number): Placed => {
  const names: string[] = [];
  const text = sql.replaceAll(/[{}]/g, '').replaceAll(/@(\w+)/g, (_, name: string) => {
    const known = names.indexOf(name);
    return `$${known === -1 ? names.push(name) : known + 1}`;
  });
  return { name: `q${number}`, text, names };
};

/** A text of PostgreSQL has no U+0000. */
const storable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value;

/** Runs statements on one connection: those that are told are sent at once, those that are asked are waited for. */
export const createRunner = () => {
  const known = new Map<string, Placed>();
  const send = (client: Queried, { sql, values }: Question): Promise<pg.QueryResult<Row>> => {
    let found = known.get(sql);
    if (found === undefined) {
      found = placed(sql, known.size);
      known.set(sql, found);
    }
    const { name, text, names } = found;
    const bound = names.map((each) => {
      const value = values[each];
      if (value === undefined) throw new RangeError(`a question has no value for @${each}`);
      return storable(value);
    });
    return client.query<Row>({ name, text, values: bound });
  };
  /** Sends one question as it is. */
  const one = async (client: Queried, question: Question): Promise<Row[]> =>
    (await answered(send(client, question), [])).rows;
  const all = async <Result>(
    client: pg.ClientBase,
    work: Asking<Result>,
    told: Promise<unknown>[],
  ): Promise<Result> => {
    let next = work.next();
    while (next.done !== true) {
      const sent = send(client, next.value);
      if (next.value.isTold) {
        sent.catch(() => {});
        told.push(sent);
        next = work.next([]);
      } else next = work.next((await answered(sent, told)).rows);
    }
    return next.value;
  };
  return {
    one,
    all,
    /** Sends all that a work tells as one statement: the first question, with the others in front of it. */
    together: async <Result>(client: Queried, work: Asking<Result>): Promise<Result> => {
      const values: Record<string, Value> = {};
      const texts: string[] = [];
      let next = work.next();
      for (; next.done !== true; next = work.next([])) {
        const number = texts.length;
        for (const [name, value] of Object.entries(next.value.values)) values[`${name}_${number}`] = value;
        texts.push(next.value.sql.replaceAll(/@(\w+)/g, `@$1_${number}`));
      }
      const [first, ...others] = texts;
      const parts = others.map((text, number) => `told${number} AS (${text})`);
      await one(client, { sql: `WITH ${parts.join(', ')} ${first}`, values, isTold: false });
      return next.value;
    },
  };
};

/** An answer, or the fault of the first statement that failed: those after it fail for it. */
export const answered = async <Answer>(sent: Promise<Answer>, told: readonly Promise<unknown>[]): Promise<Answer> => {
  // It may fail while those before it are waited for.
  sent.catch(() => {});
  try {
    for (const each of told) await each;
    return await sent;
  } catch (error) {
    throw new StatementFault('a statement failed', { cause: error });
  }
};
