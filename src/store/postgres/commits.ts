import type pg from 'pg';
import type { Fences } from '../port.ts';
import type { CommitHow, SqlDatabase, Write } from '../sql/database.ts';
import { createCommitRounds, type Waiting } from './commit-rounds.ts';
import { callerError, isFenced, isInTheWay, isOfOne } from './errors.ts';
import type { RoundWork } from './round.ts';
import type { ServerHealth } from './server-health.ts';
import { StatementFault, type Statements } from './statements.ts';
import { commitOne, commitRound, type Entering, type FencedHome } from './transactions.ts';

/** How often a commit is retried that conflicts with others. */
const TRIES_MAX = 3;

/** A work that is committed together with others, or alone if that fails. */
interface Gathered extends RoundWork {
  how: CommitHow;
}

export interface CommitParts {
  /** Connections for works committed alone, and for rounds. */
  pool: pg.Pool;
  roundPool: pg.Pool;
  statements: Statements;
  /** This node's homes if there are several nodes; null: it is the home of all. */
  fences: Fences | null;
  /** The fence of a home of all. */
  fence: number;
  health: Pick<ServerHealth, 'assertOpen' | 'stored' | 'shown'>;
}

/** Commits works alone, and short ones in rounds. Decides nothing about their contents. */
export const createCommits = ({
  pool,
  roundPool,
  statements,
  fences,
  fence,
  health,
}: CommitParts): Pick<SqlDatabase, 'write' | 'commit'> => {
  const homeOf = (owner: string): FencedHome =>
    fences === null ? { name: '', fence } : { name: owner, fence: fences.of(owner) };

  /** Any node may write data without an owner. */
  const entersOf = (owner: string | null, how: CommitHow): Entering | null => {
    const isAlone = how === 'alone';
    if (owner !== null) return { owner, home: homeOf(owner), isAlone };
    return fences === null ? { owner: '', home: homeOf(''), isAlone } : null;
  };

  const write = async <Result>(
    owner: string | null,
    work: Write<Result>,
    how: CommitHow = 'alone',
  ): Promise<Result> => {
    for (let tries = 1; ; tries += 1) {
      health.assertOpen();
      const enters = entersOf(owner, how);
      try {
        const result = await commitOne(pool, statements, enters, work, how);
        health.stored();
        return result;
      } catch (error) {
        if (!(error instanceof StatementFault)) throw error;
        if (fences !== null && enters !== null && isFenced(error.cause)) {
          fences.lost(enters.home.name, enters.home.fence);
          throw callerError(error.cause);
        }
        if (!isInTheWay(error.cause) || tries === TRIES_MAX) throw health.shown(error.cause);
      }
    }
  };

  const commitTogether = async (works: readonly Gathered[]): Promise<void> => {
    health.assertOpen();
    const enters = [...Map.groupBy(works, ({ owner }) => owner)].map(([owner, [first]]) => ({
      owner,
      home: homeOf(owner),
      isAlone: first!.isAlone,
    }));
    const [first] = works;
    if (works.length > 1 || first?.how !== 'at once') await commitRound(roundPool, statements, enters, works);
    else first.outcome = { result: await commitOne(roundPool, statements, enters[0]!, first.work, first.how) };
  };

  /**
   * A fault of one work, or one that a round cannot attribute, is found by committing each alone; a fault of the
   * database concerns all works.
   */
  const round = async (waiting: readonly Waiting<Gathered>[]): Promise<void> => {
    try {
      await commitTogether(waiting.map(({ work }) => work));
    } catch (error) {
      if (error instanceof StatementFault && !isOfOne(error.cause)) {
        const shown = health.shown(error.cause);
        for (const { reject } of waiting) reject(shown);
      } else
        for (const { work, resolve, reject } of waiting) write(work.owner, work.work, work.how).then(resolve, reject);
      return;
    }
    health.stored();
    for (const { work, resolve, reject } of waiting)
      if (work.outcome !== undefined && 'result' in work.outcome) resolve(work.outcome.result);
      else reject(work.outcome?.error);
  };

  const gather = createCommitRounds(round);

  return {
    write,
    commit: async <Result>(owner: string, work: Write<Result>, how: CommitHow) => {
      health.assertOpen();
      return (await gather({ owner, work, how, isAlone: how === 'alone' })) as Result;
    },
  };
};
