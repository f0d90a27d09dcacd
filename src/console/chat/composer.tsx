import { useSignal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { OnBusy, TurnRequest } from '../../../contracts/http.ts';
import { Button } from '../design/button.tsx';
import { useChoices } from '../design/choices.tsx';
import { Choice } from '../design/fields.tsx';
import { AttachButton, AttachedFiles } from '../files/attach.tsx';
import { attachedTo, takeDropped, takePasted } from '../files/attached.ts';
import { openDraft } from '../state/remembered.ts';
import { isPhone } from '../state/window.ts';
import { defineTexts } from '../text/language.ts';
import styles from './chat.module.css';
import { completionsOf } from './completions.ts';
import { texts } from './texts.ts';

/** A description of each slash command (SPEC 8). The service lists them too, with "/help". */
const commandTexts = defineTexts({
  '/help': ['all commands', '所有命令'],
  '/status': ['the state of the task', '任务进展'],
  '/continue': ['continue the paused task', '继续已暂停的任务'],
  '/resume': ['continue a paused task, by its id', '按 id 继续某个已暂停的任务'],
  '/cancel': ['end the current task', '结束当前任务'],
  '/plan': [
    'show the plan, or named plans: list, create, update, mark, activate, delete, run',
    '查看计划；命名计划：list、create、update、mark、activate、delete、run',
  ],
  '/todo': ['add, list, search, get, update, done, delete', 'add、list、search、get、update、done、delete'],
  '/view': ['todos: all, today, overdue, upcoming, inbox', '待办视图：all、today、overdue、upcoming、inbox'],
  '/schedule': [
    'add, list, get, view, update, repeat, delete; goals: goal, goals',
    'add、list、get、view、update、repeat、delete；定时目标：goal、goals',
  ],
  '/memory': ['facts that later sessions know about you: add, list, delete', '以后的会话也知道的事：add、list、delete'],
  '/tools': ['the tools and their usage', '工具及其用法'],
  '/tool': ['try a tool: its name, then its input', '试用工具：名称加输入'],
});

/** Most lines that the field grows to. Its styles have the same limit for lines that wrap. */
const ROWS_MAX = 10;

type Mode = 'goal' | 'answer' | 'change' | 'busy' | 'refuse';

/** The names of the field and of its button, and the placeholder. */
const wordsOf = (
  mode: Mode,
  isNew: boolean,
  isTall: boolean,
): readonly [label: string, button: string, placeholder: string] => {
  const { message, answer, reason, send, reject, ...of } = texts.value;
  const newPlaceholder = isTall ? of.firstPlaceholder : of.newPlaceholder;
  const words = {
    goal: [message, send, isNew ? newPlaceholder : of.placeholder],
    answer: [answer, answer, of.answerPlaceholder],
    change: [of.change, answer, of.changePlaceholder],
    busy: [message, send, of.busyPlaceholder],
    refuse: [reason, reject, isPhone.value ? of.refuseShort : of.refusePlaceholder],
  } as const;
  return words[mode];
};

/** The id of the field. */
const FIELD = 'message';

/** Focuses the field. */
export const focusComposer = (): void => document.getElementById(FIELD)?.focus();

/** Focuses the field on devices where that opens no on-screen keyboard. */
export const focusComposerByItself = (): void => {
  if (matchMedia('(pointer: fine)').matches) focusComposer();
};

interface ComposerProps {
  /** The name of its draft, such as the session that is written to. */
  draft: string;
  /**
   * The current effect of an input: opens a task, answers a question, refuses an action, or arrives while a task runs.
   */
  mode: Mode;
  send: (body: TurnRequest & { input: string }, files: readonly File[]) => void;
  /** It takes the focus when shown. */
  isFocused?: boolean;
  /** Choices beside its button. */
  tools?: ComponentChildren;
  /** Where it is tall, before its button: what one may know, such as who answers. */
  note?: ComponentChildren;
  /** It is the first thing on its page: its text stands above its choices. */
  isTall?: boolean;
  /** True: the input begins a conversation. */
  isNew?: boolean;
}

/** The button that submits the field: an arrow, or a word if the input would refuse. */
const SubmitButton = ({ mode, words, disabled }: { mode: Mode; words: string; disabled: boolean }) =>
  mode === 'refuse' ? (
    <Button kind="danger" class={styles.submit} type="submit" disabled={disabled}>
      {words}
    </Button>
  ) : (
    <Button
      kind="primary"
      icon="send"
      class={`${styles.submit} ${styles.send}`}
      type="submit"
      title={words}
      disabled={disabled}
    />
  );

/**
 * The user's text field, with completion of slash commands. Enter sends; Shift+Enter starts a new line.
 */
export const Composer = ({
  draft: name,
  mode,
  send,
  isFocused = false,
  tools,
  note,
  isTall = false,
  isNew = isTall,
}: ComposerProps) => {
  const draft = openDraft(name);
  const attached = attachedTo(name);
  const onBusy = useSignal<OnBusy>('steer');
  const isClosed = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const text = draft.value;
  const [label, button, placeholder] = wordsOf(mode, isNew, isTall);
  const commands = useChoices({
    label: texts.value.commands,
    choices: isClosed.value ? [] : completionsOf(text, Object.keys(commandTexts.value)),
    keys: ['Enter', 'Tab'],
    take: (command) => {
      draft.value = `${command} `;
      commands.chooseFirst();
      field.current?.focus();
    },
    class: styles.commands,
    render: (command) => (
      <>
        <code>{command}</code>
        <span class="clipped muted">{(commandTexts.value as Record<string, string>)[command]}</span>
      </>
    ),
  });
  useLayoutEffect(() => {
    if (isFocused) focusComposerByItself();
  }, [isFocused]);
  const written = useRef(text);
  /** An action came up while the user was writing. Until the field is left, its text is not a reason for a refusal. */
  const isInterrupted = useRef(false);
  useLayoutEffect(() => {
    isInterrupted.current =
      mode === 'refuse' && document.activeElement === field.current && written.current.trim() !== '';
  }, [name]);
  useLayoutEffect(() => {
    written.current = text;
  });

  /** A refusal takes no files. */
  const takesFiles = mode !== 'refuse';
  const isFilled = text.trim() !== '' || (takesFiles && attached.value.length > 0);
  /** A refusal needs no reason. */
  const isSendable = isFilled || mode === 'refuse';
  const submit = (event: Event): void => {
    event.preventDefault();
    const input = text.trim();
    if (!isSendable) return;
    const body = { input, ...(mode === 'busy' && !input.startsWith('/') && { on_busy: onBusy.value }) };
    send(body, takesFiles ? attached.value : []);
    if (takesFiles) attached.value = [];
    draft.value = '';
    field.current?.focus();
  };
  const key = (event: KeyboardEvent): void => {
    if (commands.press(event) || event.isComposing) return;
    if (event.key === 'Escape') isClosed.value = true;
    if (event.key !== 'Enter' || event.shiftKey) return;
    event.preventDefault();
    // A user who was writing something else when the action came up does not refuse it by that; a refusal without a
    // reason is a click.
    if (isFilled && !isInterrupted.current) submit(event);
  };

  return (
    <form
      class={`${styles.composer} ${isTall ? styles.tall : ''} line`}
      onSubmit={submit}
      onDragOver={(event) => event.preventDefault()}
      onDrop={(event) => takeDropped(takesFiles ? attached : null, event)}
    >
      {commands.list}
      {takesFiles && <AttachedFiles attached={attached} />}
      <div class={styles.field} data-placeholder={placeholder}>
        <textarea
          {...commands.field}
          ref={field}
          id={FIELD}
          rows={Math.min(ROWS_MAX, text.split('\n').length)}
          aria-label={label}
          aria-autocomplete="list"
          aria-haspopup="listbox"
          placeholder={placeholder}
          value={text}
          onInput={({ currentTarget }) => {
            isClosed.value = false;
            commands.chooseFirst();
            draft.value = currentTarget.value;
          }}
          onKeyDown={key}
          onPaste={(event) => {
            if (takesFiles) takePasted(attached, event);
          }}
          onBlur={() => {
            isInterrupted.current = false;
          }}
        />
      </div>
      <div class={styles.acts}>
        {tools}
        {mode === 'busy' && (
          <Choice
            of={onBusy}
            label={texts.value.onBusy}
            choices={[
              { value: 'steer', title: texts.value.steer },
              { value: 'enqueue', title: texts.value.enqueue },
            ]}
          />
        )}
        {takesFiles && <AttachButton attached={attached} hasName={isTall} />}
        {isTall && (
          <span class={styles.aside}>
            {note}
            <span class={`${styles.hint} muted small`} aria-hidden="true">
              <kbd>/</kbd> {texts.value.commandsHint}
            </span>
          </span>
        )}
        <SubmitButton mode={mode} words={button} disabled={!isSendable} />
      </div>
    </form>
  );
};
