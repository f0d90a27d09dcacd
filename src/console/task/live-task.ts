import type { ReadonlySignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import type { TaskView, TurnView } from '../../../contracts/http.ts';
import { type Loaded, useResource } from '../api/resource.ts';
import { getTask, listTurns } from '../api/routes.ts';
import { takeFeed } from '../api/session-feed.ts';
import type { TaskProps } from '../app/task-props.ts';

/** How long changes are gathered before the task is loaded again, in milliseconds. */
const GATHER_MS = 80;

/** Turns among which the task's last reply is looked for. */
const TURNS = 50;

/** A task as it is now, and its last reply. */
export interface LiveTask {
  view: TaskView;
  /** Null: it has none, or an old one. */
  reply: TurnView | null;
}

/** A task as it is now, loaded again with each of its entries. */
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
    let timer: ReturnType<typeof setTimeout> | undefined;
    const stop = feed.listen((messages) => {
      if (!messages.some(({ event, data }) => event === 'trace' && data.task_id === task)) return;
      timer ??= setTimeout(() => {
        timer = undefined;
        live.reload();
      }, GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      stop();
      release();
    };
  }, [session, task, live]);
  return live;
};
