import type { JSX } from 'preact';
import type { NewKey, Quota, Role } from '../../../contracts/access.ts';
import { useChange } from '../api/resource.ts';
import { addKey, changeQuota } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import design from '../design/design.module.css';
import { Dialog } from '../design/dialog.tsx';
import { Refusal } from '../design/notice.tsx';
import { shared } from '../text/shared.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** The texts of a form's fields, by their names. */
const fieldsOf = (form: HTMLFormElement) => Object.fromEntries(new FormData(form)) as Record<string, string>;

/** The whole number that a field holds; null where it is empty. */
const numberIn = (text = ''): number | null => (text.trim() === '' ? null : Math.trunc(Number(text)));

const Field = ({ title, ...rest }: JSX.IntrinsicElements['input'] & { title: string }) => (
  <label class={design.field}>
    {title}
    <input {...rest} />
  </label>
);

interface QuotaDialogProps {
  owner: string;
  quota: Quota | null;
  onClose: () => void;
  onSaved: () => void;
}

/** The dialog for an owner's daily quota. */
export const QuotaDialog = ({ owner, quota, onClose, onSaved }: QuotaDialogProps) => {
  const { problem, change } = useChange();
  const save = async (form: HTMLFormElement): Promise<void> => {
    const { turns, tokens } = fieldsOf(form);
    const quota = { turns_per_day: numberIn(turns), tokens_per_day: numberIn(tokens) };
    if (await change(() => changeQuota(owner, quota))) onSaved();
  };
  const field = (name: 'turns' | 'tokens', value: number | null = null) => (
    <Field
      name={name}
      title={texts.value[`${name}PerDay`]}
      type="number"
      min="0"
      placeholder={texts.value.anyNumber}
      defaultValue={String(value ?? '')}
    />
  );
  return (
    <Dialog title={texts.value.quotaOf(owner)} onClose={onClose}>
      <form
        class={styles.group}
        onSubmit={(event) => {
          event.preventDefault();
          void save(event.currentTarget);
        }}
      >
        <p class={styles.muted}>{texts.value.quotaHint}</p>
        {field('turns', quota?.turns_per_day)}
        {field('tokens', quota?.tokens_per_day)}
        <Refusal error={problem.value} />
        <div class={design.buttons}>
          <Button onClick={onClose}>{shared.value.cancel}</Button>
          <Button type="submit" kind="primary">
            {texts.value.save}
          </Button>
        </div>
      </form>
    </Dialog>
  );
};

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A form that makes a key; `onMade` gets it, which nobody else ever sees. */
export const AddKey = ({ onMade }: { onMade: (key: NewKey) => void }) => {
  const { problem, change } = useChange();
  const add = async (form: HTMLFormElement): Promise<void> => {
    const { owner = '', role, days } = fieldsOf(form);
    const count = numberIn(days);
    const expires_at = count === null ? null : new Date(Date.now() + count * DAY_MS).toISOString();
    const isMade = await change(async () =>
      onMade(await addKey({ owner: owner.trim(), role: role as Role, expires_at })),
    );
    if (isMade) form.querySelector('input')!.value = '';
  };
  return (
    <form
      class={styles.form}
      aria-label={texts.value.addKey}
      onSubmit={(event) => {
        event.preventDefault();
        void add(event.currentTarget);
      }}
    >
      <Field name="owner" title={texts.value.owner} required pattern="[A-Za-z0-9_\-]{1,64}" />
      <label class={design.field}>
        {texts.value.role}
        <select name="role">
          {(['user', 'operator', 'front_end'] satisfies Role[]).map((role) => (
            <option key={role} value={role}>
              {texts.value[role]}
            </option>
          ))}
        </select>
      </label>
      <Field name="days" title={texts.value.days} type="number" min="1" max="36500" />
      <Button type="submit" kind="primary">
        {texts.value.addKey}
      </Button>
      <Refusal error={problem.value} />
    </form>
  );
};
