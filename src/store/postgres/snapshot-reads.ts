import type pg from 'pg';
import { type Queries, type Statement, statement } from '../../lib/queries.ts';
import type { SqlDatabase } from '../sql/database.ts';
import { connected } from './connections.ts';
import { createGatheredReads } from './gathered-reads.ts';
import type { ServerHealth } from './server-health.ts';
import { StatementFault, type Statements } from './statements.ts';

const READ = statement('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY', {});

const COMMIT = { name: 'commit', text: 'COMMIT' };

/** Work after another statement. */
function* after<Result>(first: Statement, work: Queries<Result>): Queries<Result> {
  yield first;
  return yield* work;
}

interface Parts {
  pool: pg.Pool;
  statements: Statements;
  health: Pick<ServerHealth, 'assertOpen' | 'shown'>;
}

/** Creates the reads. All queries of a work see the same moment; a work of one query is sent with others. */
export const createSnapshotReads = ({ pool, statements, health }: Parts): SqlDatabase['read'] => {
  const readOne = createGatheredReads(pool, statements);
  /** The first queries of works that run several. */
  const firstOfSeveral = new Set<string>();

  const atOneMoment = <Result>(work: Queries<Result>): Promise<Result> =>
    connected(pool, async (client) => {
      const result = await statements.all(client, after(READ, work));
      client.query(COMMIT).catch(() => {});
      return result;
    });

  return async (work) => {
    health.assertOpen();
    try {
      const running = work();
      const first = running.next();
      if (first.done === true) return first.value;
      const { sql } = first.value;
      if (!firstOfSeveral.has(sql)) {
        const next = running.next(await readOne(first.value));
        if (next.done === true) return next.value;
        firstOfSeveral.add(sql);
      }
      return await atOneMoment(work());
    } catch (error) {
      throw error instanceof StatementFault ? health.shown(error.cause) : error;
    }
  };
};
