import pg from 'pg';
import { pino } from 'pino';
import { expect, it, onTestFinished } from 'vitest';
import { execute, type Queries, query } from '../../src/lib/queries.ts';
import { KeyTaken } from '../../src/store/port.ts';
import { BY_INDEX, connectionTo } from '../../src/store/postgres/connection.ts';
import { openPostgresDatabase } from '../../src/store/postgres/database.ts';
import { manyRows } from '../../src/store/postgres/many-rows.ts';
import type { SqlDatabase } from '../../src/store/sql/database.ts';
import { freshDatabase } from '../support/postgres/database-of.ts';

interface Opened {
  url: string;
  db: SqlDatabase;
  /** Rows of a query, as another connection sees them. */
  rows<Row extends pg.QueryResultRow>(sql: string): Promise<Row[]>;
  client: pg.Client;
}

const open = async (): Promise<Opened> => {
  const url = await freshDatabase();
  const db = await openPostgresDatabase({ url, opening: {}, log: pino({ level: 'silent' }) });
  onTestFinished(() => db.close());
  const client = new pg.Client(url);
  await client.connect();
  onTestFinished(() => client.end());
  return { url, db, rows: async (sql) => (await client.query(sql)).rows, client };
};

/** A session, and the first turn of it under a key. */
function* turnOf(owner: string, number: number, key = `k${number}`): Queries<number> {
  yield* execute(
    `INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at, is_fork)
     VALUES (@number, @owner, @session_id, 'UTC', 0, 0, 0)`,
    { number, owner, session_id: `s${number}` },
  );
  yield* execute(
    `INSERT INTO turns (turn_id, session, owner, kind, status, task, input, options, callback_url, idempotency_key, body_hash, reply,
       created_at, finished_at)
     VALUES (@turn_id, @number, @owner, 'task', 'queued', NULL, @input, NULL, NULL, @key, NULL, NULL, 0, NULL)`,
    { owner, number, turn_id: `turn_${number}`, input: `{"a \\ \u0000 "b",NULL} ${number}`, key },
  );
  return number;
}

/** Commits all in one moment, so that they are ready together. */
const commitAll = (db: SqlDatabase, works: (() => Queries<unknown>)[], owner = (n: number) => `o${n}`) =>
  Promise.allSettled(works.map((work, number) => db.commit(owner(number), work, 'beside')));

const numbers = Array.from({ length: 20 }, (_, number) => number);

it('commits that are ready together are one transaction, also of many owners', async () => {
  const { db, rows } = await open();
  for (const round of [0, 100, 200]) {
    const settled = await commitAll(
      db,
      numbers.map((n) => () => turnOf(`o${n}`, round + n)),
    );
    expect(settled).toEqual(numbers.map((n) => ({ status: 'fulfilled', value: round + n })));
  }
  const stored = await rows<{ transactions: number; turns: number }>(
    'SELECT count(DISTINCT xmin::text)::int AS transactions, count(*)::int AS turns FROM turns',
  );
  expect(stored).toEqual([{ transactions: 3, turns: 60 }]);
  const [first] = await rows<{ input: string }>("SELECT input FROM turns WHERE turn_id = 'turn_203'");
  expect(first).toEqual({ input: '{"a \\ \u{FFFD} "b",NULL} 203' });
});

it('one that is refused refuses no other, and nothing of it is stored', async () => {
  const { db, rows } = await open();
  await commitAll(db, [() => turnOf('ada', 1, 'taken')], () => 'ada');
  const settled = await commitAll(
    db,
    [
      () => turnOf('ada', 2),
      () => turnOf('ada', 3, 'taken'),
      function* () {
        yield* turnOf('ada', 4);
        throw new RangeError('no');
      },
      () => turnOf('ada', 5),
    ],
    () => 'ada',
  );
  expect(settled).toMatchObject([
    { status: 'fulfilled', value: 2 },
    { status: 'rejected', reason: expect.any(KeyTaken) },
    { status: 'rejected', reason: { message: 'no' } },
    { status: 'fulfilled', value: 5 },
  ]);
  expect(await rows('SELECT session_id FROM sessions ORDER BY id')).toEqual(
    ['s1', 's2', 's5'].map((session_id) => ({ session_id })),
  );
});

it('rows that many commits change are found by an index, also where the plan is made while the table has few', async () => {
  const { client, url } = await open();
  await client.query('ANALYZE');
  const planner = new pg.Client(connectionTo(url, BY_INDEX));
  await planner.connect();
  onTestFinished(() => planner.end());
  const many = manyRows('UPDATE turns SET status = @status WHERE turn_id = @turn_id AND owner = @owner')!;
  await planner.query(`PREPARE finishing AS ${many.text(many.names.map(() => 'text'))}`);
  const { rows } = await planner.query<Record<string, string>>(
    "EXPLAIN EXECUTE finishing('{answered}', '{turn_1}', '{ada}')",
  );
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan).toMatch(/Index Scan using \w+ on turns/);
  expect(plan).not.toContain('Seq Scan');
});

it('those that read see what the owner stored before them, though they are ready together', async () => {
  const { db } = await open();
  const counting = (owner: string) =>
    db.commit(
      owner,
      function* () {
        const [row] = yield* query<{ count: number }>('SELECT count(*) AS count FROM facts WHERE owner = @owner', {
          owner,
        });
        yield* execute('INSERT INTO facts (owner, id, text, created_at) VALUES (@owner, @id, @text, 0)', {
          owner,
          id: row!.count + 1,
          text: 'x',
        });
        return row!.count;
      },
      'alone',
    );
  const owners = numbers.map((n) => `o${n % 4}`);
  expect(await Promise.all(owners.map(counting))).toEqual(numbers.map((n) => Math.floor(n / 4)));
});

it('an owner whose lock another program holds is waited for, and the others are not', async () => {
  const { db, client } = await open();
  await client.query("BEGIN; SELECT pg_advisory_xact_lock(hashtextextended('o0', 0))");
  const commits = numbers.map((n) => db.commit(`o${n}`, () => turnOf(`o${n}`, n), 'beside'));
  await Promise.all(commits.slice(1));
  await client.query('COMMIT');
  expect(await commits[0]).toBe(0);
});

it('a round that its connection is lost in is STORAGE_UNAVAILABLE for each of its commits, and is not run again', async () => {
  const { db, client, rows } = await open();
  await client.query(`
    CREATE FUNCTION die() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN PERFORM pg_terminate_backend(pg_backend_pid()); RETURN NULL; END $$;
    CREATE TRIGGER dies AFTER INSERT ON turns EXECUTE FUNCTION die()`);
  const settled = await commitAll(
    db,
    numbers.map((n) => () => turnOf(`o${n}`, n)),
  );
  expect(settled).toEqual(
    numbers.map(() => ({ status: 'rejected', reason: expect.objectContaining({ code: 'STORAGE_UNAVAILABLE' }) })),
  );
  expect(await rows('SELECT 1 FROM turns')).toEqual([]);
});
