import { useEffect } from 'preact/hooks';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { type Resource, useResource } from '../api/resource.ts';
import { getTask } from '../api/routes.ts';
import { feedOf } from '../api/session-feed.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import { historyOf, isStopped, viewOf } from '../history/task-history.ts';
import { selectedSeq } from '../state/selection.ts';

/** A task of the open session, and its state now as the API shows it. */
export interface OpenTask extends TaskProps {
  live: Resource<TaskView>;
}

/** A session's task in its current state, reloaded when it has new entries. Null: there is no task. */
export const useOpenTask = (session: string, task: string | null): OpenTask | null => {
  const live = useResource(
    (signal) => (task === null ? new Promise<never>(() => {}) : getTask(task, signal)),
    [session, task],
  );
  useEffect(
    () =>
      feedOf(session).listen((messages) => {
        if (messages.some(({ event, data }) => event === 'trace' && data.task_id === task)) live.changed();
      }),
    [session, task, live],
  );
  return task === null ? null : { session, task, live };
};

/** The task at the selected moment, else as it is now. Undefined: not loaded or folded yet. */
export const shownView = (of: OpenTask): TaskView | undefined => {
  const now = of.live.loaded.value.value;
  if (selectedSeq.value === null || now === undefined) return now;
  const history = historyOf(of);
  return viewOf(history) ?? (isStopped(history) ? now : undefined);
};
