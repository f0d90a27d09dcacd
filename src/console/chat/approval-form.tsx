import { useSignal } from '@preact/signals';
import { useId } from 'preact/hooks';
import type { TurnRequest } from '../../../contracts/http.ts';
import type { TaskView } from '../../../contracts/turn-view.ts';
import { openDraft } from '../app/draft.ts';
import { Button } from '../design/button.tsx';
import { shared } from '../text/shared.ts';
import styles from './chat.module.css';
import { texts } from './texts.ts';

type Approval = NonNullable<TaskView['approval']>;
type Decision = NonNullable<TurnRequest['decision']>;

interface ApprovalFormProps {
  approval: Approval;
  /** The id of the turn that asks. */
  turn: string;
  send: (body: TurnRequest) => void;
}

/** An action that waits for a yes: the tool and its whole input, which may be edited. */
export const ApprovalForm = ({ approval: { id, tool, input }, turn, send }: ApprovalFormProps) => {
  const edited = openDraft(`input.${turn}`);
  const reason = openDraft(`reason.${turn}`);
  const isEditing = useSignal(edited.text.peek() !== '');
  const inputId = useId();
  const reasonId = useId();
  const given = reason.text.value.trim();
  const edit = (text: string): void => {
    isEditing.value = text !== '';
    edited.set(text);
  };
  const decide = (decision: Decision): void => {
    send({ decision: { ...decision, approval: id, ...(given !== '' && { reason: given }) } });
    edit('');
    reason.set('');
  };
  return (
    <section class={styles.question} aria-label={texts.value.approvalTitle(tool)}>
      <p class={styles.asked}>{texts.value.approvalTitle(tool)}</p>
      {!isEditing.value ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long input scrolls, which the keyboard must reach.
        <section class={styles.input} tabIndex={0} aria-label={texts.value.input}>
          <pre>{input}</pre>
        </section>
      ) : (
        <textarea
          id={inputId}
          class={styles.input}
          aria-label={texts.value.input}
          rows={Math.min(16, edited.text.value.split('\n').length + 1)}
          value={edited.text.value}
          onInput={(event) => edited.set(event.currentTarget.value)}
        />
      )}
      <p class={styles.hint}>{texts.value.approvalHint}</p>
      <input
        id={reasonId}
        aria-label={texts.value.reason}
        placeholder={texts.value.reason}
        value={reason.text.value}
        onInput={(event) => reason.set(event.currentTarget.value)}
      />
      <div class={styles.options}>
        {!isEditing.value ? (
          <>
            <Button kind="primary" onClick={() => decide({ type: 'approve' })}>
              {texts.value.approve}
            </Button>
            <Button onClick={() => decide({ type: 'approve_always' })}>{texts.value.always}</Button>
            <Button onClick={() => edit(input)}>{texts.value.edit}</Button>
            <Button kind="danger" onClick={() => decide({ type: 'reject' })}>
              {texts.value.reject}
            </Button>
          </>
        ) : (
          <>
            <Button
              kind="primary"
              disabled={edited.text.value.trim() === ''}
              onClick={() => decide({ type: 'edit', input: edited.text.value })}
            >
              {texts.value.runEdited}
            </Button>
            <Button onClick={() => edit('')}>{shared.value.cancel}</Button>
          </>
        )}
      </div>
    </section>
  );
};
