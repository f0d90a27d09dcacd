import { Link } from '../app/link.tsx';
import { compareHref } from '../app/parse-route.ts';
import { forkDraft, showTaskDialog, type TaskDialog, taskDialog } from '../app/task-dialog.ts';
import type { TaskProps } from '../app/task-of-session.ts';
import { openOrigin } from '../app/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { lazy } from '../design/loaded.tsx';
import styles from './export.module.css';
import { texts } from './texts.ts';

const ForkDialog = lazy(async () => (await import('../fork/fork-dialog.tsx')).ForkDialog);
const CompareDialog = lazy(async () => (await import('../compare/compare-dialog.tsx')).CompareDialog);
const ShareDialog = lazy(async () => (await import('./share-dialog.tsx')).ShareDialog);

const Action = ({ name }: { name: TaskDialog }) => (
  <Button kind="quiet" aria-haspopup="dialog" onClick={() => showTaskDialog(name)}>
    {texts.value[name]}
  </Button>
);

/** Actions of a task: fork, compare, copy, export. */
export const TaskActions = ({ session, task }: TaskProps) => {
  const found = openOrigin(session);
  const origin = found === null ? null : `${found.session}/${found.task}`;
  const close = (): void => {
    forkDraft(task).set('');
    showTaskDialog(null);
  };
  return (
    <>
      <div class={styles.actions} role="toolbar" aria-label={texts.value.actions}>
        <Action name="fork" />
        <Action name="compare" />
        <Action name="share" />
      </div>
      {origin !== null && (
        <p class={styles.origin}>
          <span>{texts.value.isFork}</span>
          <Link href={compareHref(origin, `${session}/${task}`)}>{texts.value.compareOrigin}</Link>
        </p>
      )}
      {taskDialog.value === 'fork' && <ForkDialog session={session} task={task} onClose={close} />}
      {taskDialog.value === 'compare' && (
        <CompareDialog session={session} task={task} origin={origin} onClose={close} />
      )}
      {taskDialog.value === 'share' && <ShareDialog session={session} task={task} onClose={close} />}
    </>
  );
};
