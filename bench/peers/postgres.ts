import pg from 'pg';
import { startPostgres } from '../../test/support/postgres/server.ts';
import { syncOf } from './event-log.ts';
import type { Server } from './server.ts';

/** Starts a PostgreSQL server in a folder that any user can reach. `normal`: synchronous_commit=off; fsync stays on. */
export const start = async (dir: string, variant: string): Promise<Server> => {
  const synchronous_commit = syncOf(variant) === 'normal' ? 'off' : 'on';
  const { address, pid, stop } = await startPostgres({ synchronous_commit }, dir);
  return { env: { BENCH_PG_URL: address, BENCH_SERVER_PID: String(pid) }, stop };
};

/** The PostgreSQL server of this measure: its address, its description for the report, and its size. */
export interface Postgres {
  url: string;
  version: string;
  durability: string;
  bytes(): Promise<number>;
  close(): Promise<void>;
}

/** Connects to the PostgreSQL server of this measure; null: the variant has none. */
export const connectPostgres = async (variant: string): Promise<Postgres | null> => {
  const url = process.env['BENCH_PG_URL'];
  if (url === undefined) return null;
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const one = async (sql: string): Promise<string> =>
    (await client.query<{ value: string }>(`SELECT (${sql})::text AS value`)).rows[0]!.value;
  return {
    url,
    version: `postgres@${await one("current_setting('server_version')")}`,
    durability:
      syncOf(variant) === 'full'
        ? 'PostgreSQL synchronous_commit=on, fsync=on: WAL fsynced at every commit (survives power loss)'
        : 'PostgreSQL synchronous_commit=off: WAL fsynced within 0.6 s (survives kill -9, not power loss)',
    bytes: async () => {
      await client.query('CHECKPOINT');
      return Number(await one('pg_database_size(current_database())'));
    },
    close: () => client.end(),
  };
};
