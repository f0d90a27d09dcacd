import type { TaskView } from '../../../contracts/turn-view.ts';
import { path, request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import type { TaskProps } from '../api/task-of-session.ts';
import { Field, FormDialog } from '../design/form.tsx';
import { compareHref, navigate } from '../state/route.ts';
import { texts } from './texts.ts';

interface CompareDialogProps extends TaskProps {
  /** The task that this one was forked from, as `session/task`. */
  origin: string | null;
  onClose: () => void;
}

/** Tasks of a session that are offered. Others are chosen by their id. */
const OFFERED = 100;

/** The task's id in a link to it, or the text unchanged. */
const idIn = (given: string): string => /task_[0-9a-z]+/.exec(given)?.[0] ?? given.trim();

/** Asks which task to compare with. */
export const CompareDialog = ({ session, task, origin, onClose }: CompareDialogProps) => {
  const { loaded } = useResource(
    (signal) =>
      request<{ tasks: TaskView[] }>(path`/v1/sessions/${session}/tasks`, { query: { limit: OFFERED }, signal }),
    [session],
  );
  const others = (loaded.value.value?.tasks ?? []).filter(({ id }) => id !== task);
  const offered = [
    ...(origin === null ? [] : [{ value: origin, title: texts.value.origin }]),
    ...others.map((other) => ({ value: `${session}/${other.id}`, title: other.goal })),
  ];
  const open = async ({ given = '', chosen = '' }: Record<string, string>): Promise<void> => {
    navigate(compareHref(`${session}/${task}`, given.trim() === '' ? chosen : idIn(given)));
  };
  return (
    <FormDialog title={texts.value.compareTitle} submit={texts.value.open} onClose={onClose} save={open}>
      {offered.length === 0 ? (
        <p>{texts.value.noOther}</p>
      ) : (
        <Field title={texts.value.compareWith}>
          <select name="chosen">
            {offered.map(({ value, title }) => (
              <option key={value} value={value}>
                {title}
              </option>
            ))}
          </select>
        </Field>
      )}
      <Field
        title={texts.value.otherTask}
        name="given"
        placeholder={texts.value.otherPlaceholder}
        required={offered.length === 0}
      />
    </FormDialog>
  );
};
