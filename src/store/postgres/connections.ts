import pg from 'pg';
import { StatementFault } from './statements.ts';

/** Creates a pool of connections that send statements without waiting for earlier answers. */
export const createPool = (settings: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({ ...settings, pipeline: true });
  // A lost idle connection; its next user opens another.
  pool.on('error', () => {});
  // A connection lost at the moment when it is handed out.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/** Runs `work` on its own connection. If it fails, everything that it sent without waiting is rolled back. */
export const connected = async <Result>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<Result>,
): Promise<Result> => {
  const client = await pool.connect().catch((error: unknown) => {
    throw new StatementFault('no connection', { cause: error });
  });
  let lost: Error | undefined;
  try {
    return await work(client);
  } catch (error) {
    await client.query('ROLLBACK').catch((cause: Error) => {
      lost = cause;
    });
    throw error;
  } finally {
    client.release(lost);
  }
};
