import type { Entry, Inbox } from './inbox.ts';
import type { Tripact, Turn } from './tripact.ts';

/** Whether a turn joined a task that the turn of another message of its session works on: that one's reply is the reply to both. */
export const joinsTask = async (
  inbox: Inbox,
  tripact: Tripact,
  { key, session }: Entry,
  { task_id, created_at }: Turn,
): Promise<boolean> => {
  if (task_id === null) return false;
  for (const other of inbox.open()) {
    if (other.key === key || other.session !== session || other.turn === null) continue;
    const turn = await tripact.turn(other.turn);
    const wasRunning = turn.finished_at === null || turn.finished_at > created_at;
    if (turn.task_id === task_id && turn.created_at < created_at && wasRunning) return true;
  }
  return false;
};
