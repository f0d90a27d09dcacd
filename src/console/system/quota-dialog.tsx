import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { Quota } from '../../../contracts/access.ts';
import { changeQuota } from '../api/service-routes.ts';
import { Button } from '../design/button.tsx';
import { Dialog } from '../design/dialog.tsx';
import { shared } from '../text/shared.ts';
import { numberIn } from './number-in.ts';
import styles from './system.module.css';
import { texts } from './texts.ts';

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
  const problem = useSignal<string | null>(null);
  const id = useId();
  const save = async (): Promise<void> => {
    try {
      await changeQuota(owner, { turns_per_day: numberIn(turns.value), tokens_per_day: numberIn(tokens.value) });
      onSaved();
    } catch (error) {
      problem.value = error instanceof Error ? error.message : String(error);
    }
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
        {problem.value !== null && (
          <p class={styles.error} role="alert">
            {problem.value}
          </p>
        )}
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
