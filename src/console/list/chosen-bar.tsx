import { useSignal } from '@preact/signals';
import type { SessionView } from '../../../contracts/http.ts';
import { useIsOperator } from '../api/role.ts';
import { Button } from '../design/button.tsx';
import { FormDialog } from '../design/form.tsx';
import { lazy } from '../design/loaded.tsx';
import { choosesSessions } from '../state/chosen-sessions.ts';
import { shared } from '../text/shared.ts';
import { deleteSessions } from './delete-sessions.ts';
import styles from './list.module.css';
import { texts } from './texts.ts';

const RerunDialog = lazy(async () => (await import('../reruns/rerun-dialog.tsx')).RerunDialog);

/** The actions on all chosen sessions at once. */
export const ChosenBar = ({ sessions }: { sessions: readonly SessionView[] }) => {
  const words = texts.value;
  const dialog = useSignal<'rerun' | 'delete' | null>(null);
  const isOperator = useIsOperator();
  const tasks = sessions.flatMap(({ last_task }) => (last_task === null ? [] : [last_task.id]));
  const open = (name: 'rerun' | 'delete' | null) => (): void => {
    dialog.value = name;
  };
  return (
    <>
      <div class={styles.chosen} role="toolbar" aria-label={words.several}>
        <span class="fill" role="status">
          {words.chosen(sessions.length)}
        </span>
        {isOperator && (
          <Button size="small" disabled={tasks.length === 0} onClick={open('rerun')}>
            {words.rerun}
          </Button>
        )}
        <Button size="small" kind="danger" disabled={sessions.length === 0} onClick={open('delete')}>
          {shared.value.delete}
        </Button>
        <Button size="small" icon="close" title={words.noLonger} onClick={() => choosesSessions(false)} />
      </div>
      {dialog.value === 'rerun' && (
        <RerunDialog
          tasks={tasks}
          onClose={() => {
            open(null)();
            choosesSessions(false);
          }}
        />
      )}
      {dialog.value === 'delete' && (
        <FormDialog
          title={words.deleteSeveral(sessions.length)}
          submit={shared.value.delete}
          kind="danger"
          onClose={open(null)}
          save={async () => {
            deleteSessions(sessions);
            choosesSessions(false);
          }}
        >
          <p>{words.removeHint}</p>
        </FormDialog>
      )}
    </>
  );
};
