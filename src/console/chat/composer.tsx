import { useSignal } from '@preact/signals';
import { useEffect, useId, useMemo, useRef } from 'preact/hooks';
import type { OnBusy, TurnRequest } from '../../../contracts/http.ts';
import { openDraft } from '../app/remembered.ts';
import { Button } from '../design/button.tsx';
import { defineTexts } from '../text/language.ts';
import styles from './chat.module.css';
import { texts } from './texts.ts';

/** A description of each slash command (SPEC 8); the service lists them too, with "/help". */
const commandTexts = defineTexts({
  '/help': ['all commands', '所有命令'],
  '/status': ['where the task stands', '任务进展'],
  '/continue': ['go on with the paused task', '继续已暂停的任务'],
  '/resume': ['go on with a paused task, by its id', '按 id 继续某个已暂停的任务'],
  '/cancel': ['end the current task', '结束当前任务'],
  '/plan': [
    'show the plan, or named plans: list, create, update, mark, activate, delete',
    '查看计划；命名计划：list、create、update、mark、activate、delete',
  ],
  '/todo': ['add, list, search, get, update, done, delete', 'add、list、search、get、update、done、delete'],
  '/view': ['todos: all, today, overdue, upcoming, inbox', '待办视图：all、today、overdue、upcoming、inbox'],
  '/schedule': [
    'add, list, get, view, update, repeat, delete; goals: goal, goals',
    'add、list、get、view、update、repeat、delete；定时目标：goal、goals',
  ],
  '/memory': ['what later sessions know of you: add, list, delete', '以后的会话也知道的事：add、list、delete'],
  '/tools': ['the tools and their usage', '工具及其用法'],
  '/tool': ['try a tool: its name, then its input', '试用工具：名称加输入'],
});

/** The commands that a text may become: while it is a slash and the beginning of a word, and none once a command is whole. */
export const completionsOf = (text: string, commands: readonly string[]): string[] => {
  if (!/^\/\w*$/.test(text)) return [];
  const found = commands.filter((command) => command.startsWith(text.toLowerCase()));
  return found.length === 1 && found[0] === text ? [] : found;
};

interface CommandListProps {
  id: string;
  commands: readonly string[];
  /** The index of the one that Enter takes. */
  chosen: number;
  onChoose: (command: string) => void;
}

/** The slash commands that a text may become. The field above it keeps the focus. */
const CommandList = ({ id, commands, chosen, onChoose }: CommandListProps) => (
  <div class={styles.commands} id={id} role="listbox" aria-label={texts.value.commands}>
    {commands.map((command, index) => (
      // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and names the chosen option.
      // biome-ignore lint/a11y/useKeyWithClickEvents: the field takes the keys.
      <div
        key={command}
        id={`${id}-${index}`}
        role="option"
        aria-selected={index === chosen}
        class={styles.command}
        onClick={() => onChoose(command)}
      >
        <code>{command}</code>
        <span class="clipped muted">{(commandTexts.value as Record<string, string>)[command]}</span>
      </div>
    ))}
  </div>
);

/** Most lines that the field grows to. */
const ROWS_MAX = 10;

type Mode = 'goal' | 'answer' | 'busy' | 'refuse';

const byMode = (goal: string, answer: string, busy: string, refuse: string) => ({ goal, answer, busy, refuse });
const labels = () => byMode(texts.value.message, texts.value.answer, texts.value.message, texts.value.reason);
const placeholders = () => {
  const { placeholder, answerPlaceholder, busyPlaceholder, refusePlaceholder } = texts.value;
  return byMode(placeholder, answerPlaceholder, busyPlaceholder, refusePlaceholder);
};
const buttons = () => byMode(texts.value.send, texts.value.answer, texts.value.send, texts.value.reject);

interface ComposerProps {
  /** The name of its draft, such as the session that is written to. */
  draft: string;
  /** Effect of an input now: it opens a task, answers a question, says no to an action, or comes while a task runs. */
  mode: Mode;
  send: (body: TurnRequest & { input: string }) => void;
  /** It takes the focus where it is shown, on devices on which no keyboard covers the page then. */
  isFocused?: boolean;
}

/** The field in which the user writes, with the slash commands. Enter sends, Shift and Enter begins a line. */
export const Composer = ({ draft: name, mode, send, isFocused = false }: ComposerProps) => {
  const draft = useMemo(() => openDraft(name), [name]);
  const onBusy = useSignal<OnBusy>('steer');
  const chosen = useSignal(0);
  const isClosed = useSignal(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const listId = useId();
  const text = draft.text.value;
  const found = isClosed.value ? [] : completionsOf(text, Object.keys(commandTexts.value));
  const at = Math.min(chosen.value, found.length - 1);

  useEffect(() => {
    if (isFocused && matchMedia('(pointer: fine)').matches) field.current?.focus();
  }, [isFocused]);

  /** A no needs no reason. */
  const isSendable = text.trim() !== '' || mode === 'refuse';
  const submit = (): void => {
    const input = text.trim();
    if (!isSendable) return;
    send({ input, ...(mode === 'busy' && !input.startsWith('/') && { on_busy: onBusy.value }) });
    draft.set('');
    if (mode !== 'refuse') field.current?.focus();
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
      // Who wrote something else when the action came up says no to nothing by it: a no without a reason is a click.
      if (text.trim() !== '') submit();
    }
  };

  return (
    <form
      class={`${styles.composer} line`}
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
        aria-label={labels()[mode]}
        aria-autocomplete="list"
        aria-haspopup="listbox"
        aria-controls={found.length > 0 ? listId : undefined}
        aria-activedescendant={found.length > 0 ? `${listId}-${at}` : undefined}
        placeholder={placeholders()[mode]}
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
      <Button kind={mode === 'refuse' ? 'danger' : 'primary'} type="submit" disabled={!isSendable}>
        {buttons()[mode]}
      </Button>
    </form>
  );
};
