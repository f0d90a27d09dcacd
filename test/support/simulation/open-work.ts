import type { TaskState } from '../../../contracts/task.ts';
import type { OwnerData } from '../../../src/lib/queries.ts';
import type { Engine } from '../../../src/runtime/port.ts';
import type { SessionKey } from '../../../src/session/image.ts';
import { dueStore } from '../../../src/store/sql/due.ts';

/** More sessions, and more tasks in one, than a history makes. */
export const ALL_SESSIONS = { limit: 500 };

export const sessionIds = async (engine: Engine): Promise<string[]> =>
  (await engine.sessions('local', ALL_SESSIONS)).items.map(({ session_id }) => session_id);

export const taskIds = async (engine: Engine): Promise<string[]> => {
  const sessions = await sessionIds(engine);
  const pages = await Promise.all(sessions.map((session) => engine.tasks('local', session, ALL_SESSIONS)));
  return pages.flatMap((page) => page.items.map(({ id }) => id));
};

/** Whether a turn has ended; true if its session was removed. */
export const isFinished = async (engine: Engine, turnId: string): Promise<boolean> => {
  try {
    return (await engine.turn('local', turnId)).finished_at !== null;
  } catch (error) {
    if ((error as { code: string }).code === 'TURN_NOT_FOUND') return true;
    throw error;
  }
};

const isRunning = (state: TaskState | undefined): boolean =>
  state !== undefined && state !== 'awaiting_user' && state !== 'paused';

/** Whether a task runs or a turn waits, including those that a crash left unacknowledged. */
export const hasOpenWork = async (engine: Engine): Promise<boolean> =>
  (await engine.sessions('local', ALL_SESSIONS)).items.some(
    ({ active_task, queue }) => queue.length > 0 || isRunning(active_task?.state),
  );

/** When something is due next, in epoch milliseconds; null: never. */
export const nextDue = (ownerData: OwnerData): Promise<number | null> =>
  ownerData.run(null, () => dueStore.nextDue(null));

export const sessionsWithDue = (ownerData: OwnerData, now: number): Promise<SessionKey[]> =>
  ownerData.run(null, () => dueStore.sessionsWithDue(null, now, ALL_SESSIONS.limit));

export const eventLoopTurns = async (count: number): Promise<void> => {
  for (let i = 0; i < count; i += 1) await new Promise(setImmediate);
};
