import type pg from 'pg';
import type { Row, Statement } from '../../lib/queries.ts';
import { connected } from './connections.ts';
import { answered, type Statements } from './statements.ts';

interface Waiting {
  statement: Statement;
  resolve(rows: Row[] | Promise<Row[]>): void;
  reject(error: unknown): void;
}

/**
 * Sends the queries of one turn of the event loop on one connection at once, each as a read of its own: writing to a
 * socket takes longer than reading a row. Each query rejects with its own `StatementFault`.
 */
export const createGatheredReads = (pool: pg.Pool, statements: Statements) => {
  let waiting: Waiting[] = [];

  const send = async (batch: readonly Waiting[]): Promise<void> => {
    try {
      await connected(pool, async (client) => {
        const answers = batch.map(({ statement }) => answered(statements.send(client, statement), []));
        for (const [number, { resolve }] of batch.entries()) resolve(answers[number]!.then(({ rows }) => rows));
        await Promise.allSettled(answers);
      });
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
  };

  const sendAll = (): void => {
    const batch = waiting;
    waiting = [];
    void send(batch);
  };

  return (statement: Statement): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ statement, resolve, reject });
      if (waiting.length === 1) setImmediate(sendAll);
    });
};
