import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { NewKey, Quota, Role } from '../../../contracts/access.ts';
import { useChange } from '../api/resource.ts';
import { addKey, changeQuota } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { Refusal } from '../design/notice.tsx';
import { shared } from '../text/shared.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';

/** The whole number that a field holds; null where it is empty. */
export const numberIn = (text: string): number | null => (text.trim() === '' ? null : Math.trunc(Number(text)));

interface QuotaDialogProps {
  owner: string;
  quota: Quota | null;
  onClose: () => void;
  onSaved: () => void;
}

/** The dialog for an owner's daily quota. */
export const QuotaDialog = ({ owner, quota, onClose, onSaved }: QuotaDialogProps) => {
  const turns = useSignal(String(quota?.turns_per_day ?? ''));
  const tokens = useSignal(String(quota?.tokens_per_day ?? ''));
  const { problem, change } = useChange();
  const id = useId();
  const save = async (): Promise<void> => {
    const quota = { turns_per_day: numberIn(turns.value), tokens_per_day: numberIn(tokens.value) };
    if (await change(() => changeQuota(owner, quota))) onSaved();
  };
  const field = (name: string, title: string, value: typeof turns) => (
    <label class={styles.field} for={`${id}-${name}`}>
      {title}
      <input
        id={`${id}-${name}`}
        type="number"
        min="0"
        placeholder={texts.value.anyNumber}
        value={value.value}
        onInput={(event) => {
          value.value = event.currentTarget.value;
        }}
      />
    </label>
  );
  return (
    <Dialog title={texts.value.quotaOf(owner)} onClose={onClose}>
      <form
        class={styles.group}
        onSubmit={(event) => {
          event.preventDefault();
          void save();
        }}
      >
        <p class={styles.muted}>{texts.value.quotaHint}</p>
        {field('turns', texts.value.turnsPerDay, turns)}
        {field('tokens', texts.value.tokensPerDay, tokens)}
        <Refusal error={problem.value} />
        <div class={styles.buttons}>
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
  const owner = useSignal('');
  const role = useSignal<Role>('user');
  const days = useSignal('');
  const { problem, change } = useChange();
  const id = useId();
  const add = async (): Promise<void> => {
    const count = numberIn(days.value);
    const expires_at = count === null ? null : new Date(Date.now() + count * DAY_MS).toISOString();
    const isMade = await change(async () =>
      onMade(await addKey({ owner: owner.value.trim(), role: role.value, expires_at })),
    );
    if (isMade) owner.value = '';
  };
  return (
    <form
      class={styles.form}
      aria-label={texts.value.addKey}
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label class={styles.field} for={`${id}-owner`}>
        {texts.value.owner}
        <input
          id={`${id}-owner`}
          required
          pattern="[A-Za-z0-9_\-]{1,64}"
          value={owner.value}
          onInput={(event) => {
            owner.value = event.currentTarget.value;
          }}
        />
      </label>
      <label class={styles.field} for={`${id}-role`}>
        {texts.value.role}
        <select
          id={`${id}-role`}
          value={role.value}
          onChange={(event) => {
            role.value = event.currentTarget.value as Role;
          }}
        >
          <option value="user">{texts.value.user}</option>
          <option value="operator">{texts.value.operator}</option>
          <option value="front_end">{texts.value.front_end}</option>
        </select>
      </label>
      <label class={styles.field} for={`${id}-days`}>
        {texts.value.days}
        <input
          id={`${id}-days`}
          type="number"
          min="1"
          max="36500"
          value={days.value}
          onInput={(event) => {
            days.value = event.currentTarget.value;
          }}
        />
      </label>
      <Button type="submit" kind="primary">
        {texts.value.addKey}
      </Button>
      <Refusal error={problem.value} />
    </form>
  );
};
