import { useResource } from '../api/resource.ts';
import { listTasks } from '../api/routes.ts';
import { compareHref } from '../app/parse-route.ts';
import { navigate } from '../app/route.ts';
import type { TaskProps } from '../app/task-of-session.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
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
  const offered = [
    ...(origin === null ? [] : [{ value: origin, title: texts.value.origin }]),
    ...others.map((other) => ({ value: `${session}/${other.id}`, title: other.goal })),
  ];
  const open = (form: HTMLFormElement): void => {
    const { given, chosen } = Object.fromEntries(new FormData(form)) as { given: string; chosen?: string };
    const other = given.trim() === '' ? chosen : idIn(given);
    if (other === undefined) return;
    navigate(compareHref(`${session}/${task}`, other));
    onClose();
  };
  return (
    <Dialog title={texts.value.compareTitle} onClose={onClose}>
      <form
        class="stack"
        onSubmit={(event) => {
          event.preventDefault();
          open(event.currentTarget);
        }}
      >
        {offered.length === 0 ? (
          <p>{texts.value.noOther}</p>
        ) : (
          <label class="field">
            {texts.value.compareWith}
            <select name="chosen">
              {offered.map(({ value, title }) => (
                <option key={value} value={value}>
                  {title}
                </option>
              ))}
            </select>
          </label>
        )}
        <label class="field">
          {texts.value.otherTask}
          <input name="given" placeholder={texts.value.otherPlaceholder} required={offered.length === 0} />
        </label>
        <div class="buttons">
          <Button onClick={onClose}>{shared.value.cancel}</Button>
          <Button kind="primary" type="submit">
            {texts.value.open}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};
