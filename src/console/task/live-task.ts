import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { createGathered } from '../api/gathered.ts';
import { type Loaded, useResource } from '../api/resource.ts';
import { getTask, listTurns } from '../api/routes.ts';
import { takeFeed } from '../api/session-feed.ts';
import type { TaskProps } from '../app/task-props.ts';

/** Turns among which the task's last reply is looked for. */
const TURNS = 50;

/** A task as it is now, and its last reply. */
export interface LiveTask {
  view: TaskView;
  /** Null: it has none, or an old one. */
  reply: TurnView | null;
}

/** A task as it is now, loaded again when it has new entries. */
export const useLiveTask = ({
  session,
  task,
}: TaskProps): { loaded: ReadonlySignal<Loaded<LiveTask>>; reload(): void } => {
  const live = useResource(
    async (signal): Promise<LiveTask> => {
      const [view, { turns }] = await Promise.all([
        getTask(task, signal),
        listTurns(session, { limit: TURNS, signal }),
      ]);
      return { view, reply: turns.find((turn) => turn.task_id === task && turn.finished_at !== null) ?? null };
    },
    [session, task],
  );
  useEffect(() => {
    const { feed, release } = takeFeed(session);
    const reloads = createGathered(live.reloaded);
    const stop = feed.listen((messages) => {
      if (messages.some(({ event, data }) => event === 'trace' && data.task_id === task)) reloads.changed();
    });
    return () => {
      reloads.stop();
      stop();
      release();
    };
  }, [session, task, live]);
  return live;
};
