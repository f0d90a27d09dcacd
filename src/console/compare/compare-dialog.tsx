import { useSignal } from '@preact/signals';
import { useResource } from '../api/resource.ts';
import { listTasks } from '../api/routes.ts';
import { compareHref } from '../app/parse-route.ts';
import { navigate } from '../app/route.ts';
import type { TaskProps } from '../app/task-of-session.ts';
import { Button } from '../design/button.tsx';
import design from '../design/design.module.css';
import { Dialog } from '../design/dialog.tsx';
import styles from '../export/export.module.css';
import { texts } from '../export/texts.ts';
import { shared } from '../text/shared.ts';

interface CompareDialogProps extends TaskProps {
  /** The task that this one was forked from, as `session/task`. */
  origin: string | null;
  onClose: () => void;
}

/** Tasks offered of a session: more are chosen by their id. */
const OFFERED = 100;

/** The task's id in a link to it, or the text as it is. */
const idIn = (given: string): string => /task_[0-9a-z]+/.exec(given)?.[0] ?? given.trim();

/** Asks which task to compare with. */
export const CompareDialog = ({ session, task, origin, onClose }: CompareDialogProps) => {
  const { loaded } = useResource((signal) => listTasks(session, { limit: OFFERED, signal }), [session]);
  const others = (loaded.value.value?.tasks ?? []).filter(({ id }) => id !== task);
  const chosen = useSignal<string | null>(null);
  const given = useSignal('');
  const offered = [
    ...(origin === null ? [] : [{ value: origin, title: texts.value.origin }]),
    ...others.map((other) => ({ value: `${session}/${other.id}`, title: other.goal })),
  ];
  const other = given.value.trim() === '' ? (chosen.value ?? offered[0]?.value ?? '') : idIn(given.value);
  return (
    <Dialog title={texts.value.compareTitle} onClose={onClose}>
      <form
        class={styles.group}
        onSubmit={(event) => {
          event.preventDefault();
          navigate(compareHref(`${session}/${task}`, other));
          onClose();
        }}
      >
        {offered.length === 0 ? (
          <p>{texts.value.noOther}</p>
        ) : (
          <label class={design.field}>
            {texts.value.compareWith}
            <select
              value={chosen.value ?? offered[0]?.value}
              onChange={(event) => {
                chosen.value = event.currentTarget.value;
              }}
            >
              {offered.map(({ value, title }) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class={design.field}>
          {texts.value.otherTask}
          <input
            placeholder={texts.value.otherPlaceholder}
            value={given.value}
            onInput={(event) => {
              given.value = event.currentTarget.value;
            }}
          />
        </label>
        <div class={design.buttons}>
          <Button onClick={onClose}>{shared.value.cancel}</Button>
          <Button kind="primary" type="submit" disabled={other === ''}>
            {texts.value.open}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
