import { isEnded } from '../../contracts/task.ts';
import { isRemoval, newEntries } from '../session/change.ts';
import type { SessionListener } from '../session/commit.ts';
import type { EngineParts } from './engine-parts.ts';

/** Creates the listener that calls the hooks of an engine: a task has advanced or ended, a session was removed. */
export const createTaskHooks = ({
  onTaskMoved,
  onTaskEnded,
  onSessionRemoved,
}: Pick<EngineParts, 'onTaskMoved' | 'onTaskEnded' | 'onSessionRemoved'>): SessionListener => ({
  committed: ({ decision, turns }) => {
    const { transitions, changes, image } = decision;
    const last = transitions.at(-1);
    const isAnswering = turns.some(({ finished_at }) => finished_at !== null);
    if (last !== undefined) onTaskMoved(image.session, last.task, isAnswering, newEntries(decision));
    for (const change of changes) {
      const hasEnded = change.type === 'task.moved' && change.state !== 'running' && isEnded(change.state);
      if (hasEnded) onTaskEnded(change.task_id);
    }
    if (!isRemoval(decision)) return;
    onSessionRemoved(image.session);
    // It does not end by itself.
    if (image.active !== null) onTaskEnded(image.active.task.context.task_id);
  },
  reloaded: (_before, { session, active }) => {
    if (active !== null) onTaskMoved(session, active.task, true, []);
  },
});
