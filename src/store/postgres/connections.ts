import pg from 'pg';
import { StatementFault } from './statements.ts';

/** Makes a pool of connections on which questions are sent without waiting for the answers to those before. */
export const createPool = (settings: pg.PoolConfig): pg.Pool => {
  const pool = new pg.Pool({ ...settings, pipeline: true });
  // A connection that is lost while nobody uses it; the next one who needs it makes another.
  pool.on('error', () => {});
  // One that is lost in the moment in which it is handed out.
  pool.on('connect', (client) => client.on('error', () => {}));
  return pool;
};

/** Runs `work` on a connection of its own. What it sent and did not wait for when it fails is rolled back. */
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
