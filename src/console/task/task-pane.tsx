import { useEffect } from 'preact/hooks';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { path, send } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { getTask } from '../api/routes.ts';
import { feedOf } from '../api/session-feed.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import { texts as reasons } from '../chat/texts.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { ShortId } from '../design/copy.tsx';
import { Failure, Loading } from '../design/loaded.tsx';
import { historyOf, isStopped, type TaskHistory, viewOf } from '../history/task-history.ts';
import { selectedSeq } from '../state/selection.ts';
import { FilesPart } from './files-part.tsx';
import { Budget, Plan, workByItem } from './plan.tsx';
import { PlanChanges } from './plan-changes.tsx';
import type { EditPlan } from './plan-editor.tsx';
import styles from './task.module.css';
import { texts } from './texts.ts';

/** A task in its current state, reloaded when it has new entries. */
const useLiveTask = ({ session, task }: TaskProps) => {
  const live = useResource((signal) => getTask(task, signal), [session, task]);
  useEffect(
    () =>
      feedOf(session).listen((messages) => {
        if (messages.some(({ event, data }) => event === 'trace' && data.task_id === task)) live.changed();
      }),
    [session, task, live],
  );
  return live;
};

interface TaskAtProps {
  view: TaskView;
  history: TaskHistory;
  isPast?: boolean;
  /** Edits the plan; absent: it cannot be edited now. */
  edit?: EditPlan | undefined;
}

/** A task at a moment: its goal, plan and budget, and the changes of each replan. */
export const TaskAt = ({ view, history, isPast = false, edit }: TaskAtProps) => (
  <>
    <section class="padded stack">
      <div class="line muted small">
        <Badge state={shownState(view)} />
        {view.pause_reason !== null && <span>{reasons.value[view.pause_reason]}</span>}
        {isPast && <span>{texts.value.past}</span>}
        <ShortId id={view.id} />
      </div>
      <h2 class={`${styles.goal} as-written`} dir="auto">
        {view.goal}
      </h2>
    </section>
    <Plan view={view} works={workByItem(history)} edit={edit} />
    <Budget view={view} />
    <PlanChanges history={history} />
  </>
);

/**
 * A task: its plan, editable while it waits, with the changes of each replan, its budget and its files. At the selected
 * entry, else now.
 */
export const TaskPane = (of: TaskProps) => {
  const live = useLiveTask(of);
  const history = historyOf(of);
  const { value, error } = live.loaded.value;
  if (value === undefined) return error === null ? <Loading /> : <Failure error={error} onRetry={live.reload} />;
  const past = selectedSeq.value === null ? null : viewOf(history);
  if (selectedSeq.value !== null && past === null && !isStopped(history)) return <Loading />;
  const view = past ?? value;
  const isEditable =
    past === null && view.plan.length > 0 && (view.state === 'awaiting_user' || view.state === 'paused');
  const edit: EditPlan = async (edits) => {
    await send(path`/v1/tasks/${of.task}/plan`, { method: 'PATCH', body: { edits } });
    await live.reloaded();
  };
  return (
    <>
      <TaskAt view={view} history={history} isPast={past !== null} edit={isEditable ? edit : undefined} />
      <FilesPart session={of.session} />
    </>
  );
};
