import { useSignal } from '@preact/signals';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { ApiProblem, path, send } from '../api/request.ts';
import { openOrigin } from '../api/task-of-session.ts';
import { meaningOf } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { toggles } from '../design/fields.tsx';
import { Empty, Failure } from '../design/loaded.tsx';
import { historyOf, type TaskHistory } from '../history/task-history.ts';
import { InspectorHead } from '../sheet/sheet.tsx';
import { compareHref, sessionHref } from '../state/route.ts';
import { selectedSeq } from '../state/selection.ts';
import { isHeadNarrow } from '../state/window.ts';
import { Budget } from './budget.tsx';
import { FilesPart } from './files-part.tsx';
import { type OpenTask, shownView } from './live-task.ts';
import { doneText, Plan, workByItem } from './plan.tsx';
import { PlanChanges } from './plan-changes.tsx';
import type { EditPlan } from './plan-editor.tsx';
import styles from './task.module.css';
import { texts } from './texts.ts';

interface TaskAtProps {
  view: TaskView;
  history: TaskHistory;
  /** The time of a running item goes on: this is no moment of the past. */
  isLive?: boolean;
  /** The budget is shown too: no header has its figures. */
  hasBudget: boolean;
  /** The task in its session; absent: a trace file's. */
  of?: OpenTask;
  /** Edits the plan; absent: it is not being edited. */
  edit?: EditPlan | undefined;
}

/** A task at a moment: its plan, and the changes of each replan. */
export const TaskAt = ({ view, history, isLive = false, hasBudget, of, edit }: TaskAtProps) => (
  <>
    <Plan view={view} works={workByItem(history)} isLive={isLive} edit={edit} />
    {hasBudget && (
      <div class={styles.part}>
        <Budget view={view} of={of} />
      </div>
    )}
    <PlanChanges history={history} />
  </>
);

/** Nothing of the task runs: it waits for its user, or is over. */
const isStill = ({ state }: TaskView): boolean => meaningOf(state) !== 'running';

/** The tasks that a forked task can be compared with. */
const Origin = ({ session, task }: OpenTask) => {
  const origin = openOrigin(session);
  if (origin === null) return null;
  return (
    <p class={`${styles.part} line small muted`}>
      <span>{texts.value.isFork}</span>
      <a href={compareHref(`${origin.session_id}/${origin.task_id}`, `${session}/${task}`)}>
        {texts.value.compareOrigin}
      </a>
    </p>
  );
};

/**
 * A task's plan, editable while it waits, with the changes of each replan and the session's files. At the selected
 * entry, else now.
 */
export const TaskPane = (of: OpenTask) => {
  const { live } = of;
  const isEditing = useSignal(false);
  const { value: now, error } = live.loaded.value;
  const view = shownView(of);
  const isNow = selectedSeq.value === null;
  const isEditable =
    isNow && view !== undefined && view.plan.length > 0 && (view.state === 'awaiting_user' || view.state === 'paused');
  const edit: EditPlan = async (edits) => {
    await send(path`/v1/tasks/${of.task}/plan`, { method: 'PATCH', body: { edits } });
    await live.reloaded();
  };
  return (
    <>
      <InspectorHead
        title={texts.value.plan}
        note={[view && doneText(view), isNow ? '' : texts.value.asItWas].filter(Boolean).join(' · ')}
      >
        {isEditable && (
          <Button
            icon="rename"
            title={texts.value.editPlan}
            aria-pressed={isEditing.value}
            onClick={toggles(isEditing)}
          />
        )}
      </InspectorHead>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard. */}
      <section class="scrolls" tabIndex={0} aria-label={texts.value.plan}>
        {now === undefined &&
          error !== null &&
          (error instanceof ApiProblem && error.status === 404 ? (
            <Empty title={texts.value.gone}>
              <a href={sessionHref(of.session)}>{texts.value.toLast}</a>
            </Empty>
          ) : (
            <Failure error={error} onRetry={live.reload} />
          ))}
        {view !== undefined && (
          <>
            <TaskAt
              view={view}
              history={historyOf(of)}
              isLive={isNow && !isStill(view)}
              hasBudget={isHeadNarrow.value}
              of={of}
              edit={isEditable && isEditing.value ? edit : undefined}
            />
            <Origin {...of} />
            <FilesPart
              session={of.session}
              stamp={`${now?.state} ${now?.current_plan_index} ${now?.successful_steps}`}
            />
          </>
        )}
      </section>
    </>
  );
};
