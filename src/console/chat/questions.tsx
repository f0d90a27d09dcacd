import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { TurnRequest } from '../../../contracts/http.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { openDraft } from '../app/remembered.ts';
import { openFork } from '../app/selection.ts';
import { useKeys } from '../app/shortcuts.ts';
import { Button } from '../design/button.tsx';
import { Markdown } from '../design/markdown.tsx';
import { shared } from '../text/shared.ts';
import styles from './chat.module.css';
import type { PastQuestion } from './past-question.ts';
import { texts } from './texts.ts';

type Send = (body: TurnRequest) => void;

const focusComposer = (): void => document.getElementById('message')?.focus();

interface OptionsProps {
  options: readonly string[];
  /** The one that was chosen. */
  chosen?: string | null;
  choose: (option: string) => void;
}

/** Answers to choose from; nothing where there are none. */
export const Options = ({ options, chosen, choose }: OptionsProps) =>
  options.length === 0 ? null : (
    <fieldset class="line" aria-label={texts.value.choices}>
      {options.map((option) => (
        <Button
          key={option}
          class={styles.option}
          aria-pressed={chosen === undefined ? undefined : option === chosen}
          onClick={() => choose(option)}
        >
          <span dir="auto">
            {option === chosen && '✓ '}
            {option}
          </span>
        </Button>
      ))}
    </fieldset>
  );

/** The open question and what may be chosen; any other answer is written below it. */
const QuestionForm = ({ turn: { question, options }, send }: { turn: TurnView; send: Send }) => (
  <section class={`${styles.question} stack`} aria-label={texts.value.question}>
    <div class={styles.asked}>
      <Markdown text={question ?? ''} />
    </div>
    <Options options={options ?? []} choose={(option) => send({ input: option })} />
    <p class="muted small">{(options ?? []).length > 0 ? texts.value.otherwise : texts.value.answerBelow}</p>
  </section>
);

interface ApprovalFormProps {
  approval: NonNullable<TaskView['approval']>;
  /** The id of the turn that asks. */
  turn: string;
  send: Send;
}

/** An action that waits for a yes: the tool and its whole input, which may be edited. The reason for a no is written in the composer. */
const ApprovalForm = ({ approval: { id, tool, input }, turn, send }: ApprovalFormProps) => {
  const edited = openDraft(`input.${turn}`);
  const isEditing = useSignal(edited.text.peek() !== '');
  const field = useRef<HTMLTextAreaElement>(null);
  const decide = (decision: NonNullable<TurnRequest['decision']>): void => {
    send({ decision: { ...decision, approval: id } });
    edited.set('');
  };
  const edit = (text: string): void => {
    isEditing.value = text !== '';
    edited.set(text);
  };
  useEffect(() => {
    if (isEditing.value) field.current?.focus();
  }, [isEditing.value]);
  useKeys({ y: () => decide({ type: 'approve' }), e: () => edit(input), n: focusComposer });
  return (
    <section class={`${styles.question} stack`} aria-label={texts.value.approvalTitle(tool)}>
      <p class={styles.asked}>{texts.value.approvalTitle(tool)}</p>
      {!isEditing.value ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long input scrolls, which the keyboard must reach.
        <section class="inset" tabIndex={0} aria-label={texts.value.input}>
          <pre>{input}</pre>
        </section>
      ) : (
        <textarea
          ref={field}
          class="inset"
          aria-label={texts.value.input}
          rows={Math.min(16, edited.text.value.split('\n').length + 1)}
          value={edited.text.value}
          onInput={(event) => edited.set(event.currentTarget.value)}
        />
      )}
      <p class="muted small">{texts.value.approvalHint}</p>
      <div class="line">
        {!isEditing.value ? (
          <>
            <Button
              kind="primary"
              class={styles.keyed}
              aria-keyshortcuts="y"
              onClick={() => decide({ type: 'approve' })}
            >
              {texts.value.approve}
            </Button>
            <Button onClick={() => decide({ type: 'approve_always' })}>{texts.value.always}</Button>
            <Button class={styles.keyed} aria-keyshortcuts="e" onClick={() => edit(input)}>
              {texts.value.edit}
            </Button>
            <Button kind="danger" class={styles.keyed} aria-keyshortcuts="n" onClick={focusComposer}>
              {texts.value.rejectBelow}
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

/** A turn's open question with its options, or whether a tool may run. */
export const OpenQuestion = ({ turn, send }: { turn: TurnView; send: Send }) =>
  turn.approval === null ? (
    <QuestionForm turn={turn} send={send} />
  ) : (
    <ApprovalForm key={turn.id} approval={turn.approval} turn={turn.id} send={send} />
  );

/** A question as it stood at the moment that is looked at. What is chosen now is answered in a fork: the task itself stays as it is. */
export const PastQuestionCard = ({ task, asked }: { task: string; asked: PastQuestion }) => {
  const { seq, question, options, approval, answer } = asked;
  const title = approval !== null ? texts.value.approvalTitle(approval.tool) : (question ?? texts.value.planQuestion);
  return (
    <section class={`${styles.question} ${styles.past} stack`} aria-label={texts.value.pastQuestion}>
      <div class={styles.asked}>
        <Markdown text={title} />
      </div>
      {approval !== null && <pre class="inset">{approval.input}</pre>}
      <Options options={options} chosen={answer} choose={(option) => openFork(task, seq, option)} />
      {answer !== null && !options.includes(answer) && <p class="muted small">{texts.value.answered(answer)}</p>}
      <p class="line">
        <span class="fill muted small">{texts.value.forkHint}</span>
        <Button onClick={() => openFork(task, seq, '')}>{texts.value.otherwiseFork}</Button>
      </p>
    </section>
  );
};
