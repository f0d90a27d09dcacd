import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import type { TurnRequest } from '../../../contracts/http.ts';
import type { TaskView, TurnView } from '../../../contracts/turn-view.ts';
import { Button } from '../design/button.tsx';
import { bound } from '../design/fields.tsx';
import { Markdown } from '../design/markdown.tsx';
import { openDraft } from '../state/remembered.ts';
import { openFork } from '../state/selection.ts';
import { isFree } from '../state/shortcuts.ts';
import { shared } from '../text/shared.ts';
import styles from './chat.module.css';
import { focusComposer } from './composer.tsx';
import type { PastQuestion } from './past-question.ts';
import { texts } from './texts.ts';

type Send = (body: TurnRequest) => void;

interface OptionsProps {
  options: readonly string[];
  /** The chosen one. */
  chosen?: string | null;
  choose: (option: string) => void;
}

/** Answers to choose from; renders nothing if there are none. */
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

interface CardProps {
  label: string;
  title: string;
  class?: string | undefined;
  /** Gets the keys that are pressed while the card or something in it has the focus. */
  onKeyDown?: (event: KeyboardEvent) => void;
  children: ComponentChildren;
}

const Card = ({ label, title, class: more = '', onKeyDown, children }: CardProps) => (
  <section class={`${styles.question} ${more} stack`} aria-label={label} tabIndex={-1} data-asked onKeyDown={onKeyDown}>
    <div class={styles.asked}>
      <Markdown text={title} />
    </div>
    {children}
  </section>
);

interface ApprovalFormProps {
  approval: NonNullable<TaskView['approval']>;
  /** The id of the turn that asks. */
  turn: string;
  send: Send;
}

/**
 * How long letter keys are ignored after an action comes up, in milliseconds: a user who is typing or clicking then
 * means something else.
 */
const LETTERS_AFTER_MS = 1_000;

/** The texts about an action beside its tool and input: its summary, and why a person is asked. */
export const AboutAction = ({ summary, reason }: { summary: string | undefined; reason: string | undefined }) => (
  <>
    {summary !== undefined && <p dir="auto">{summary}</p>}
    {reason !== undefined && (
      <p class="muted small" dir="auto">
        {reason}
      </p>
    )}
  </>
);

/**
 * An action that waits for approval: the tool and its whole input, which can be edited. The reason for a refusal is
 * written in the composer.
 */
const ApprovalForm = ({ approval, turn, send }: ApprovalFormProps) => {
  const { id, tool, input, summary, reason } = approval;
  const edited = openDraft(`input.${turn}`);
  const isEditing = useSignal(edited.peek() !== '');
  const field = useRef<HTMLTextAreaElement>(null);
  const decide = (decision: NonNullable<TurnRequest['decision']>) => (): void => {
    send({ decision: { ...decision, approval: id } });
    edited.value = '';
  };
  const edit = (text: string) => (): void => {
    isEditing.value = text !== '';
    edited.value = text;
  };
  useLayoutEffect(() => {
    if (isEditing.value) field.current?.focus();
  }, [isEditing.value]);
  const hasLetters = useSignal(false);
  useEffect(() => {
    const timer = setTimeout(() => {
      hasLetters.value = true;
    }, LETTERS_AFTER_MS);
    return () => clearTimeout(timer);
  }, []);
  const letters = new Map([
    ['y', decide({ type: 'approve' })],
    ['e', edit(input)],
    ['n', focusComposer],
  ]);
  const press = (event: KeyboardEvent): void => {
    const act = letters.get(event.key);
    if (act === undefined || isEditing.value || !isFree(event)) return;
    event.preventDefault();
    if (hasLetters.value) act();
  };
  const keyed = (letter: string, kind: 'primary' | 'normal' | 'danger', label: string) => (
    <Button
      kind={kind}
      class={styles.keyed}
      data-letter={letter}
      aria-keyshortcuts={hasLetters.value ? letter : undefined}
      onClick={letters.get(letter)}
    >
      {label}
    </Button>
  );
  const { value } = edited;
  return (
    <Card label={shared.value.approvalTitle(tool)} title={shared.value.approvalTitle(tool)} onKeyDown={press}>
      <AboutAction summary={summary} reason={reason} />
      {isEditing.value ? (
        <textarea
          ref={field}
          class="inset"
          aria-label={texts.value.input}
          rows={Math.min(16, value.split('\n').length + 1)}
          {...bound(edited)}
        />
      ) : (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a long input scrolls, which the keyboard must reach.
        <section class="inset" tabIndex={0} aria-label={texts.value.input}>
          <pre>{input}</pre>
        </section>
      )}
      <p class="muted small">{texts.value.approvalHint}</p>
      <div class="line">
        {isEditing.value ? (
          <>
            <Button kind="primary" disabled={value.trim() === ''} onClick={decide({ type: 'edit', input: value })}>
              {texts.value.runEdited}
            </Button>
            <Button onClick={edit('')}>{shared.value.cancel}</Button>
          </>
        ) : (
          <>
            {keyed('y', 'primary', texts.value.approve)}
            <Button onClick={decide({ type: 'approve_always' })}>{texts.value.always}</Button>
            {keyed('e', 'normal', texts.value.edit)}
            {keyed('n', 'danger', texts.value.rejectBelow)}
          </>
        )}
      </div>
    </Card>
  );
};

/** A turn's open question with its options, or whether a tool may run. Any other answer is written below it. */
export const OpenQuestion = ({ turn, send }: { turn: TurnView; send: Send }) => {
  const { id, approval, question, options } = turn;
  if (approval !== null) return <ApprovalForm key={id} approval={approval} turn={id} send={send} />;
  return (
    <Card label={texts.value.question} title={question ?? ''}>
      <Options options={options ?? []} choose={(option) => send({ input: option })} />
      <p class="muted small">{(options ?? []).length > 0 ? texts.value.otherwise : texts.value.answerBelow}</p>
    </Card>
  );
};

/** A question in its state at the selected moment. Choosing an answer forks the task, which itself stays unchanged. */
export const PastQuestionCard = ({ task, asked }: { task: string; asked: PastQuestion }) => {
  const { seq, question, options, approval, answer } = asked;
  const title = approval !== null ? shared.value.approvalTitle(approval.tool) : (question ?? texts.value.planQuestion);
  return (
    <Card label={texts.value.pastQuestion} title={title} class={styles.past}>
      {approval !== null && <AboutAction summary={approval.summary} reason={approval.reason} />}
      {approval !== null && <pre class="inset">{approval.input}</pre>}
      <Options options={options} chosen={answer} choose={(option) => openFork(task, seq, option)} />
      {answer !== null && !options.includes(answer) && <p class="muted small">{texts.value.answered(answer)}</p>}
      <p class="line">
        <span class="fill muted small">{texts.value.forkHint}</span>
        <Button onClick={() => openFork(task, seq, '')}>{texts.value.otherwiseFork}</Button>
      </p>
    </Card>
  );
};
