import type pg from 'pg';
import type { Question, Row } from '../../lib/questions.ts';
import { connected } from './connections.ts';
import { answered, type Statements } from './statements.ts';

interface Waiting {
  question: Question;
  resolve(rows: Row[] | Promise<Row[]>): void;
  reject(error: unknown): void;
}

/**
 * Sends the questions of one turn of the event loop on one connection at once, each as a read of its own: to write to a socket takes longer
 * than to read a row. Rejects with a `StatementFault`, of each question its own.
 */
export const createGatheredReads = (pool: pg.Pool, statements: Statements) => {
  let waiting: Waiting[] = [];

  const send = async (questions: readonly Waiting[]): Promise<void> => {
    try {
      await connected(pool, async (client) => {
        const answers = questions.map(({ question }) => answered(statements.send(client, question), []));
        for (const [number, { resolve }] of questions.entries()) resolve(answers[number]!.then(({ rows }) => rows));
        await Promise.allSettled(answers);
      });
    } catch (error) {
      for (const { reject } of questions) reject(error);
    }
  };

  const sendAll = (): void => {
    const questions = waiting;
    waiting = [];
    void send(questions);
  };

  return (question: Question): Promise<Row[]> =>
    new Promise((resolve, reject) => {
      waiting.push({ question, resolve, reject });
      if (waiting.length === 1) setImmediate(sendAll);
    });
};
