import { createHash, randomUUID } from 'node:crypto';
import pg from 'pg';
import { inject } from 'vitest';

/** Creates a missing schema, and returns the address of the database in it. */
export const schemaUrl = async (address: string, name: string): Promise<string> => {
  const client = new pg.Client(address);
  await client.connect();
  await client.query(`CREATE SCHEMA IF NOT EXISTS ${name}`);
  await client.end();
  const schema = new URL(address);
  schema.searchParams.set('options', `-c search_path=${name}`);
  return schema.href;
};

/**
 * Creates an empty database on a server, by default the one shared by all tests with several nodes, and returns its
 * address.
 */
export const freshDatabase = async (server: string = inject('server')): Promise<string> => {
  const name = `d${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client(server);
  await client.connect();
  await client.query(`CREATE DATABASE ${name}`);
  await client.end();
  const database = new URL(server);
  database.pathname = `/${name}`;
  return database.href;
};

/**
 * The database for a test: one for each data folder on PostgreSQL if the test's project uses that; null: SQLite in the
 * folder.
 */
export const databaseOf = async (dataDir: string): Promise<string | null> => {
  const address = inject('postgres');
  if (address === undefined) return null;
  return schemaUrl(address, `f${createHash('sha256').update(dataDir).digest('hex').slice(0, 24)}`);
};

/** The same as a setting of the service. */
export const databaseSetting = async (dataDir: string): Promise<Record<string, string>> => {
  const url = await databaseOf(dataDir);
  return url === null ? {} : { TRIPACT_DATABASE_URL: url };
};
