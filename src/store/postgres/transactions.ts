import type pg from 'pg';
import { type Queries, type Statement, statement } from '../../lib/queries.ts';
import type { CommitHow, Write } from '../sql/database.ts';
import { noCalls, storeCalls } from '../sql/usage.ts';
import { connected } from './connections.ts';
import { type RoundWork, runRound, WorkFault } from './round.ts';
import type { Statements } from './statements.ts';

/** A home that is written for, and this process's fence for it. */
export interface FencedHome {
  name: string;
  fence: number;
}

/** An owner in a transaction. `isAlone`: no other transaction of the owner is in progress. */
export interface Entering {
  owner: string;
  home: FencedHome;
  isAlone: boolean;
}

/**
 * Takes the locks of a commit's owners, and refuses an old fence. Always in the same order, so that commits never
 * deadlock.
 */
const ENTER = `SELECT enter(e ->> 'owner', e ->> 'name', CAST(e ->> 'fence' AS bigint), CAST(e ->> 'isAlone' AS boolean))
  FROM json_array_elements(CAST(@owners AS json)) AS e`;

const entering = (owners: readonly Entering[]): Statement => {
  const sorted = owners.toSorted((one, other) => (one.owner < other.owner ? -1 : 1));
  const listed = sorted.map(({ owner, home, isAlone }) => ({ owner, ...home, isAlone }));
  return statement(ENTER, { owners: JSON.stringify(listed) });
};

/** A commit as one sequence of statements: it enters, does its work, and adds the calls of it. */
function* commitOf<Result>(enter: Statement | null, work: Write<Result>): Queries<Result> {
  const calls = noCalls();
  // The work's queries come after it on the connection, so they read the owner's last commit.
  if (enter !== null) yield enter;
  const result = yield* work(calls);
  yield* storeCalls(calls);
  return result;
}

/** Commits several works in one transaction, like `runRound`. */
export const commitRound = (
  pool: pg.Pool,
  statements: Statements,
  enters: readonly Entering[],
  works: readonly RoundWork[],
): Promise<void> =>
  connected(pool, async (client) => {
    await runRound(client, statements, enters.length === 0 ? null : entering(enters), works);
    await statements.learn(client);
  });

/**
 * Commits one work on its own connection. `enters` null: it writes no owner's data. Rejects with a `StatementFault`, or
 * what the work throws.
 */
export const commitOne = async <Result>(
  pool: pg.Pool,
  statements: Statements,
  enters: Entering | null,
  work: Write<Result>,
  how: CommitHow,
): Promise<Result> => {
  if (how === 'at once') return statements.together(pool, commitOf(enters && entering([enters]), work));
  const only: RoundWork = { owner: enters?.owner ?? '', isAlone: how === 'alone', work };
  try {
    await commitRound(pool, statements, enters === null ? [] : [enters], [only]);
  } catch (error) {
    throw error instanceof WorkFault ? error.cause : error;
  }
  if (only.outcome !== undefined && 'result' in only.outcome) return only.outcome.result as Result;
  throw only.outcome?.error;
};
