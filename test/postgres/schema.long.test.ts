import { readFileSync } from 'node:fs';
import pg from 'pg';
import { expect, it } from 'vitest';
import { prepareDatabase } from '../../src/store/postgres/open.ts';
import { pack } from '../../src/store/sql/frames.ts';
import { freshDatabase } from '../support/postgres/database-of.ts';

/** The service's own tables: a key is looked up before its owner is known, and an audit is of all owners. */
const REFERENCE = ['access_keys', 'audit_left', 'audit_versions', 'meta', 'nodes'];

/** The first column of each unique key of a table, and on both sides of each reference to another one; null: the table has no key. */
const FIRST_COLUMNS = `
  SELECT t.relname AS table, a.attname AS first
  FROM pg_class t LEFT JOIN pg_index i ON i.indrelid = t.oid AND i.indisunique
  LEFT JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = i.indkey[0]
  WHERE t.relkind = 'r' AND t.relnamespace = current_schema()::regnamespace
  UNION ALL SELECT f.conrelid::regclass::text, a.attname
  FROM pg_constraint f JOIN pg_attribute a
    ON (a.attrelid, a.attnum) IN ((f.conrelid, f.conkey[1]), (f.confrelid, f.confkey[1]))
  WHERE f.contype = 'f' AND f.connamespace = current_schema()::regnamespace`;

it("keys and references of each table begin with the owner, but for the service's own tables", async () => {
  const url = await freshDatabase();
  await prepareDatabase(url);
  const client = new pg.Client(url);
  await client.connect();
  const { rows } = await client.query<{ table: string; first: string | null }>(FIRST_COLUMNS);
  await client.end();
  const others = rows.filter(({ first }) => first !== 'owner').map(({ table }) => table);
  expect([...new Set(others)].sort()).toEqual(REFERENCE);
  expect(rows.filter(({ table }) => table === 'model_calls')).toHaveLength(5);
});

/** The columns, indexes and constraints of all tables, a line each. */
const DEFINITIONS = `
  SELECT concat_ws(' ', table_name, column_name, data_type, is_nullable, column_default) AS line
  FROM information_schema.columns WHERE table_schema = current_schema()
  UNION ALL SELECT indexdef FROM pg_indexes WHERE schemaname = current_schema()
  UNION ALL SELECT concat_ws(' ', conrelid::regclass, pg_get_constraintdef(oid))
  FROM pg_constraint WHERE connamespace = current_schema()::regnamespace
  ORDER BY 1`;

/** Connects to a new database, prepares it for the service after `before`, and returns the definitions of its tables. */
const definitionsAfter = async (before: (client: pg.Client) => Promise<unknown>): Promise<string[]> => {
  const url = await freshDatabase();
  const client = new pg.Client(url);
  await client.connect();
  await before(client);
  await prepareDatabase(url);
  const { rows } = await client.query<{ line: string }>(DEFINITIONS);
  await client.end();
  return rows.map(({ line }) => line);
};

it('a database of version 1 gets the tables of a new one', async () => {
  const migrated = await definitionsAfter(async (client) => {
    await client.query(readFileSync(new URL('./version-1.sql', import.meta.url), 'utf8'));
    await client.query("INSERT INTO meta (key, value) VALUES ('schema_version', '1')");
  });
  expect(migrated).toEqual(await definitionsAfter(async () => {}));
});

it('sessions that a database of version 6 has are found by the tools that they called', async () => {
  const url = await freshDatabase();
  await prepareDatabase(url);
  const client = new pg.Client(url);
  await client.connect();
  await client.query('DROP TABLE session_tools; DROP TABLE session_costs; DROP TABLE tool_days');
  await client.query("UPDATE meta SET value = '6' WHERE key = 'schema_version'");
  const observed = (tool: string) => ({ tool, input: 'x', ok: true, result: 'y' });
  const events = [
    pack(JSON.stringify({ type: 'observation.recorded', effect: 3, ...observed('one') })),
    JSON.stringify({ type: 'observation.recorded', effect: 12, ...observed('plain') }),
    JSON.stringify({ type: 'observations.recorded', effect: 13, observations: [observed('two'), observed('one')] }),
    JSON.stringify({ type: 'plan.made', effect: 1, plan: ['none'] }),
  ];
  for (const [session, owner] of ['ada', 'bob'].entries()) {
    await client.query(
      `INSERT INTO sessions (id, owner, session_id, timezone, created_at, updated_at) VALUES ($1, $2, 's', 'UTC', 0, 0)`,
      [session + 1, owner],
    );
    for (const [seq, event] of events.entries())
      await client.query(
        'INSERT INTO entries (owner, session, seq, at, machine, event) VALUES ($1, $2, $3, 0, 4, $4)',
        [owner, session + 1, seq + 1, event],
      );
  }
  await prepareDatabase(url);
  const { rows } = await client.query<{ line: string }>(
    "SELECT owner || ' ' || session || ' ' || tool AS line FROM session_tools ORDER BY 1",
  );
  await client.end();
  expect(rows.map(({ line }) => line)).toEqual(
    ['ada 1', 'bob 2'].flatMap((session) => ['one', 'plain', 'two'].map((tool) => `${session} ${tool}`)),
  );
});
