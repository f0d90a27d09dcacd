import type pg from 'pg';
import type { Queries, Row, Statement, Value } from '../../lib/queries.ts';
import { type ManyRows, manyRows } from './many-rows.ts';

/** A statement failed, for its cause, and not the work that sent it. */
export class StatementFault extends Error {
  override name = 'StatementFault';
}

/** A connection, or a pool that provides one for each statement. */
export type Queried = Pick<pg.ClientBase | pg.Pool, 'query'>;

export type Answer = pg.QueryResult<Row>;

/** The values of a statement, by name. */
export type Values = Statement['values'];

/** A statement in PostgreSQL's form: prepared with a name, its values by position. */
interface Placed {
  name: string;
  text: string;
  names: readonly string[];
  /** The statement for many rows; null: there is none. */
  many: ManyRows | null;
  /** The text of the statement for many rows, once PostgreSQL has reported the types of its values. */
  manyText: string | null;
}

const placed = (sql: string, number: number): Placed => {
  const names: string[] = [];
  const own = sql.replaceAll(/[{}]/g, '');
  const text = own.replaceAll(/@(\w+)/g, (_, name: string) => {
    const known = names.indexOf(name);
    return `$${known === -1 ? names.push(name) : known + 1}`;
  });
  return { name: `q${number}`, text, names, many: manyRows(own), manyText: null };
};

/** Texts in PostgreSQL cannot contain U+0000. */
const storable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\u{FFFD}') : value;

const boundValue = (values: Values, name: string): Value => {
  const value = values[name];
  if (value === undefined) throw new RangeError(`a statement has no value for @${name}`);
  return storable(value);
};

/** A result, or the fault of the first statement that failed, which makes those after it fail too. */
export const answered = async <Answer>(
  sent: Promise<Answer>,
  earlier: readonly Promise<unknown>[],
): Promise<Answer> => {
  // It may fail while earlier ones are awaited.
  sent.catch(() => {});
  try {
    for (const each of earlier) await each;
    return await sent;
  } catch (error) {
    throw new StatementFault('a statement failed', { cause: error });
  }
};

/** Sends the store's statements as prepared statements, with the same name on all connections. */
export const createStatements = () => {
  const known = new Map<string, Placed>();
  /** Statements whose types are still to be learned. */
  const unlearned = new Set<Placed>();

  const find = (sql: string): Placed => {
    let found = known.get(sql);
    if (found === undefined) {
      found = placed(sql, known.size);
      known.set(sql, found);
    }
    return found;
  };

  const send = (client: Queried, { sql, values }: Pick<Statement, 'sql' | 'values'>): Promise<Answer> => {
    const { name, text, names } = find(sql);
    return client.query<Row>({ name, text, values: names.map((each) => boundValue(values, each)) });
  };

  return {
    send,
    /**
     * The values that two rows in one statement must not share; null: none. Undefined: each row needs its own
     * statement.
     */
    keysOf: (sql: string): readonly string[] | null | undefined => find(sql).many?.keys,

    /** Sends one statement for all rows if there is one, else one for each. */
    sendRows: (client: Queried, sql: string, rows: readonly Values[]): Promise<Answer>[] => {
      const found = find(sql);
      const { name, many, manyText } = found;
      if (many !== null && manyText === null) unlearned.add(found);
      if (rows.length === 1 || many === null || manyText === null)
        return rows.map((values) => send(client, { sql, values }));
      const lists = many.names.map((each) => rows.map((values) => boundValue(values, each)));
      return [client.query<Row>({ name: `${name}_rows`, text: manyText, values: lists })];
    },

    /**
     * Learns the types of statements that were sent row by row, which are then sent for many rows at once. Changes
     * nothing on failure.
     */
    learn: async (client: pg.ClientBase): Promise<void> => {
      const learning = [...unlearned];
      unlearned.clear();
      for (const found of learning) {
        const { name, text, names, many } = found;
        const prepared = `types_of_${name}`;
        client.query(`PREPARE ${prepared} AS ${text}`).catch(() => {});
        const types = client.query<{ types: string[] }>(
          'SELECT parameter_types::text[] AS types FROM pg_prepared_statements WHERE name = $1',
          [prepared],
        );
        client.query(`DEALLOCATE ${prepared}`).catch(() => {});
        const [row] = await types.then(({ rows }) => rows).catch(() => []);
        if (row !== undefined && many !== null)
          found.manyText = many.text(many.names.map((each) => row.types[names.indexOf(each)]!));
      }
    },

    /** Runs a work's statements in their order, and waits only for the rows that it needs. */
    all: async <Result>(client: pg.ClientBase, work: Queries<Result>): Promise<Result> => {
      const sentBefore: Promise<unknown>[] = [];
      let next = work.next();
      while (next.done !== true) {
        const sent = send(client, next.value);
        if (next.value.needsRows) next = work.next((await answered(sent, sentBefore)).rows);
        else {
          sent.catch(() => {});
          sentBefore.push(sent);
          next = work.next([]);
        }
      }
      return next.value;
    },

    /** Sends all statements of a work as one: the first, with the others in front of it. */
    together: async <Result>(client: Queried, work: Queries<Result>): Promise<Result> => {
      const values: Record<string, Value> = {};
      const texts: string[] = [];
      let next = work.next();
      for (; next.done !== true; next = work.next([])) {
        const number = texts.length;
        for (const [name, value] of Object.entries(next.value.values)) values[`${name}_${number}`] = value;
        texts.push(next.value.sql.replaceAll(/@(\w+)/g, `@$1_${number}`));
      }
      const [first, ...others] = texts;
      const parts = others.map((text, number) => `other${number} AS (${text})`);
      await answered(send(client, { sql: `WITH ${parts.join(', ')} ${first}`, values }), []);
      return next.value;
    },
  };
};

export type Statements = ReturnType<typeof createStatements>;
