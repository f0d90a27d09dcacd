import { useSignal } from '@preact/signals';
import { useId, useMemo, useRef } from 'preact/hooks';
import type { OnBusy, TurnRequest } from '../../../contracts/http.ts';
import { openDraft } from '../app/draft.ts';
import { Button } from '../design/button.tsx';
import styles from './chat.module.css';
import { CommandList } from './command-list.tsx';
import { completionsOf } from './completions.ts';
import { commandTexts } from './slash-commands.ts';
import { texts } from './texts.ts';

/** Most lines that the field grows to. */
const ROWS_MAX = 10;

interface ComposerProps {
  session: string;
  /** Effect of an input now: it opens a task, answers a question, or comes while a task runs. */
  mode: 'goal' | 'answer' | 'busy';
  send: (body: TurnRequest) => void;
}

/** The field in which the user writes, with the slash commands. Enter sends, Shift and Enter begins a line. */
export const Composer = ({ session, mode, send }: ComposerProps) => {
  const draft = useMemo(() => openDraft(session), [session]);
  const onBusy = useSignal<OnBusy>('steer');
  const chosen = useSignal(0);
  const isClosed = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const text = draft.text.value;
  const found = isClosed.value ? [] : completionsOf(text, Object.keys(commandTexts.value));
  const at = Math.min(chosen.value, found.length - 1);

  const submit = (): void => {
    const input = text.trim();
    if (input === '') return;
    send({ input, ...(mode === 'busy' && !input.startsWith('/') && { on_busy: onBusy.value }) });
    draft.set('');
    field.current?.focus();
  };
  const complete = (command: string): void => {
    draft.set(`${command} `);
    chosen.value = 0;
    field.current?.focus();
  };
  const listKey = (key: string): boolean => {
    if (found.length === 0) return false;
    if (key === 'ArrowDown') chosen.value = (at + 1) % found.length;
    else if (key === 'ArrowUp') chosen.value = (at - 1 + found.length) % found.length;
    else if (key === 'Tab' || key === 'Enter') complete(found[at] ?? text);
    else if (key === 'Escape') isClosed.value = true;
    else return false;
    return true;
  };
  const key = (event: KeyboardEvent): void => {
    // An input method takes Enter for itself while it composes a word.
    if (event.isComposing) return;
    if (listKey(event.key)) event.preventDefault();
    else if (event.key === 'Enter' && !event.shiftKey) {
      event.preventDefault();
      submit();
    }
  };

  const placeholder = {
    goal: texts.value.placeholder,
    answer: texts.value.answerPlaceholder,
    busy: texts.value.busyPlaceholder,
  };
  return (
    <form
      class={styles.composer}
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {found.length > 0 && <CommandList id={listId} commands={found} chosen={at} onChoose={complete} />}
      <textarea
        ref={field}
        id="message"
        rows={Math.min(ROWS_MAX, text.split('\n').length)}
        aria-label={mode === 'answer' ? texts.value.answer : texts.value.message}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={found.length > 0 ? listId : undefined}
        aria-activedescendant={found.length > 0 ? `${listId}-${at}` : undefined}
        placeholder={placeholder[mode]}
        value={text}
        onInput={(event) => {
          isClosed.value = false;
          chosen.value = 0;
          draft.set(event.currentTarget.value);
        }}
        onKeyDown={key}
      />
      {mode === 'busy' && (
        <select
          aria-label={texts.value.onBusy}
          value={onBusy.value}
          onChange={(event) => {
            onBusy.value = event.currentTarget.value as OnBusy;
          }}
        >
          <option value="steer">{texts.value.steer}</option>
          <option value="enqueue">{texts.value.enqueue}</option>
        </select>
      )}
      <Button kind="primary" type="submit" disabled={text.trim() === ''}>
        {mode === 'answer' ? texts.value.answer : texts.value.send}
      </Button>
    </form>
  );
};
