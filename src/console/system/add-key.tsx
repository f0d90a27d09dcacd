import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { NewKey, Role } from '../../../contracts/access.ts';
import { addKey } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { numberIn } from './number-in.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A form that makes a key; `onMade` gets it, which nobody else ever sees. */
export const AddKey = ({ onMade }: { onMade: (key: NewKey) => void }) => {
  const owner = useSignal('');
  const role = useSignal<Role>('user');
  const days = useSignal('');
  const problem = useSignal<string | null>(null);
  const id = useId();
  const add = async (): Promise<void> => {
    problem.value = null;
    const count = numberIn(days.value);
    try {
      const expires_at = count === null ? null : new Date(Date.now() + count * DAY_MS).toISOString();
      onMade(await addKey({ owner: owner.value.trim(), role: role.value, expires_at }));
      owner.value = '';
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
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
      {problem.value !== null && (
        <p class={styles.error} role="alert">
          {problem.value}
        </p>
      )}
    </form>
  );
};
