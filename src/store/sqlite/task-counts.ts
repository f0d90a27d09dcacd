import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Database } from 'better-sqlite3';
import { TaskOutcome } from '../../../contracts/answer.ts';
import { TaskState } from '../../../contracts/task.ts';
import type { TaskCount } from '../port.ts';
import { TASKS_A_TURN } from './statements.ts';

const OF_KIND = 'tasks INDEXED BY tasks_by_state WHERE owner = ? AND state = ? AND outcome IS ?';
const BEHIND = `(session, id) > (?, ?)`;

type Kind = Omit<TaskCount, 'count'>;

const kinds: readonly Kind[] = [...TaskState.options, 'running' as const].flatMap((state) =>
  [null, ...TaskOutcome.options].map((outcome) => ({ state, outcome })),
);

/** Makes what counts tasks by state and outcome, in their index alone. An owner may have millions: they are counted over turns of the event loop. */
export const prepareTaskCounts = (db: Database) => {
  const lastOfSlice = db.prepare<[string, string, string | null, number, number], { session: number; id: number }>(
    `SELECT session, id FROM ${OF_KIND} AND ${BEHIND} ORDER BY session, id LIMIT 1 OFFSET ${TASKS_A_TURN - 1}`,
  );
  const rest = db
    .prepare<[string, string, string | null, number, number], number>(`SELECT count(*) FROM ${OF_KIND} AND ${BEHIND}`)
    .pluck();
  const inSession = db
    .prepare<[string, string, string | null, number], number>(`SELECT count(*) FROM ${OF_KIND} AND session = ?`)
    .pluck();

  const countOf = async (owner: string, { state, outcome }: Kind): Promise<number> => {
    let count = 0;
    for (let [session, id] = [0, 0]; ; ) {
      const last = lastOfSlice.get(owner, state, outcome, session, id);
      if (last === undefined) return count + rest.get(owner, state, outcome, session, id)!;
      count += TASKS_A_TURN;
      ({ session, id } = last);
      await nextTurn();
    }
  };

  return async (owner: string, session: number | null): Promise<TaskCount[]> => {
    const counts: TaskCount[] = [];
    for (const kind of kinds) {
      const { state, outcome } = kind;
      const count = session === null ? await countOf(owner, kind) : inSession.get(owner, state, outcome, session)!;
      if (count > 0) counts.push({ ...kind, count });
    }
    return counts;
  };
};
