import type { ListedSessionView } from '../../../contracts/http.ts';
import type { StateName } from '../text/states.ts';

/** What sessions are listed. */
export interface SessionFilter {
  /** Words that the name, the title or the goal contain, all of them. */
  words: string;
  state: 'all' | 'running' | 'waiting' | 'paused' | 'idle';
}

/** A session's state: its active task's, or that it has none. */
export const stateOf = ({ active_task }: ListedSessionView): StateName => active_task?.state ?? 'idle';

const groupOf = (session: ListedSessionView): SessionFilter['state'] => {
  const { active_task: task } = session;
  if (task === null) return 'idle';
  if (task.state === 'awaiting_user') return 'waiting';
  return task.state === 'paused' ? 'paused' : 'running';
};

/** True for a session that is listed. */
export const isListed = (session: ListedSessionView, { words, state }: SessionFilter): boolean => {
  if (state !== 'all' && groupOf(session) !== state) return false;
  const text = `${session.session_id} ${session.title ?? ''} ${session.active_task?.goal ?? ''}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
