import type { SessionView } from '../../../contracts/http.ts';
import { shownState } from '../design/badge.tsx';
import type { StateName } from '../text/states.ts';

/** Filter of the list of sessions. */
export interface SessionFilter {
  /** Words that the name, the title or the goal contain, all of them. */
  words: string;
  state: 'all' | 'running' | 'waiting' | 'paused' | 'idle';
}

/** A session's state: its active task's, else that a task of it is paused or that it is idle. `paused`: the sessions with a paused task. */
export const stateOf = ({ active_task, session_id }: SessionView, paused: ReadonlySet<string>): StateName =>
  active_task !== null ? shownState(active_task) : paused.has(session_id) ? 'paused' : 'idle';

const groupOf = (state: StateName): SessionFilter['state'] => {
  if (state === 'idle' || state === 'paused') return state;
  return state === 'awaiting_user' ? 'waiting' : 'running';
};

/** True for a session that is listed. */
export const isListed = (
  session: SessionView,
  { words, state }: SessionFilter,
  paused: ReadonlySet<string>,
): boolean => {
  if (state !== 'all' && groupOf(stateOf(session, paused)) !== state) return false;
  const text = `${session.session_id} ${session.title ?? ''} ${session.active_task?.goal ?? ''}`.toLowerCase();
  return words
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word));
};
