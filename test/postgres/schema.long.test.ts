import pg from 'pg';
import { expect, it } from 'vitest';
import { prepareDatabase } from '../../src/store/postgres/open.ts';
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
