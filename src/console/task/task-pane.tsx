import type { TaskView } from '../../../contracts/turn-view.ts';
import { selectedSeq } from '../app/selection.ts';
import type { TaskProps } from '../app/task-props.ts';
import { Badge, shownState } from '../design/badge.tsx';
import { ShortId } from '../design/copy.tsx';
import { Markdown } from '../design/markdown.tsx';
import { Failure, Loading } from '../design/notice.tsx';
import { useTaskAtSelection } from '../history/selected-task.ts';
import { type TaskHistory, useHistory } from '../history/task-history.ts';
import { Budget } from './budget.tsx';
import { useLiveTask } from './live-task.ts';
import { Plan } from './plan.tsx';
import { PlanChanges } from './plan-changes.tsx';
import styles from './task.module.css';
import { texts } from './texts.ts';

const Head = ({ view, isPast }: { view: TaskView; isPast: boolean }) => (
  <section class={styles.part}>
    <div class={styles.line}>
      <Badge state={shownState(view)} />
      {view.pause_reason !== null && <span>{texts.value[view.pause_reason]}</span>}
      {isPast && <span>{texts.value.past}</span>}
      <ShortId id={view.id} />
    </div>
    <h2 class={styles.goal} dir="auto">
      {view.goal}
    </h2>
  </section>
);

/** An entry is looked at whose state is still being folded, and can be. */
const isFolding = ({ fold, foldError }: TaskHistory): boolean =>
  selectedSeq.value !== null && foldError.value === null && (fold.value?.difference.value ?? null) === null;

/** A task: its plan with what each replan changed, its budget, and its reply once it has one. Of the entry that is looked at, else as it is now. */
export const TaskPane = (of: TaskProps) => {
  const live = useLiveTask(of);
  const { value, error } = live.loaded.value;
  const past = useTaskAtSelection(of).value;
  const history = useHistory(of);
  if (value === undefined) return error === null ? <Loading /> : <Failure error={error} onRetry={live.reload} />;
  if (past === null && isFolding(history)) return <Loading />;
  const isPast = selectedSeq.value !== null && past !== null;
  const view = isPast ? past : value.view;
  const reply = isPast ? null : value.reply;
  return (
    <div class={styles.pane}>
      <Head view={view} isPast={isPast} />
      <Plan view={view} />
      <Budget view={view} />
      <PlanChanges history={history} />
      {reply !== null && reply.output !== null && view.state !== 'awaiting_user' && (
        <section class={styles.part} aria-labelledby="reply-title">
          <h3 id="reply-title">{texts.value.reply}</h3>
          <Markdown text={reply.output} />
        </section>
      )}
    </div>
  );
};
