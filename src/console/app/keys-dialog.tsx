import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { useIsOperator } from '../api/role.ts';
import { nameOf } from '../api/sessions.ts';
import { meaningOf, Sign } from '../design/badge.tsx';
import { Button } from '../design/button.tsx';
import { useChoices } from '../design/choices.tsx';
import styles from '../design/design.module.css';
import { Dialog } from '../design/dialog.tsx';
import { FocusedInput } from '../design/form.tsx';
import { Hit } from '../design/hit.tsx';
import { Icon } from '../design/icon.tsx';
import { type InboxItem, inboxItems, itemHref, sessionOf } from '../inbox/inbox-items.ts';
import { stateOf } from '../list/session-row.tsx';
import { HOME, navigate, RERUNS, SESSIONS, SYSTEM, sessionHref, TRACE } from '../state/route.ts';
import { keysDialog, plainKeys, shortcuts, switchPlainKeys } from '../state/shortcuts.ts';
import { texts as systemTexts } from '../system/texts.ts';
import { chooseLanguage, language } from '../text/language.ts';
import { shared } from '../text/shared.ts';
import { shell } from '../text/shell.ts';
import type { StateName } from '../text/states.ts';
import { type Theme, theme, themeTitle } from './page.ts';

/** Sessions that the palette offers. */
const SESSIONS_MAX = 8;

const close = (): void => {
  keysDialog.value = null;
};

const Key = ({ name }: { name: string }) => <kbd>{name === 'Escape' ? 'Esc' : name}</kbd>;

/** A line of the palette. */
interface Choice {
  kind: 'task' | 'session' | 'place' | 'command' | 'setting';
  title: string;
  /** The state that its sign shows; absent: it has none. */
  state?: StateName;
  /** Beside its title: the words around a hit. */
  note?: string;
  key?: string;
  run: () => void;
}

const to = (kind: Choice['kind'], title: string, href: string, more: Partial<Choice> = {}): Choice => ({
  kind,
  title,
  run: () => navigate(href),
  ...more,
});

/** The parts of the system screen, as places. */
const PARTS = ['tools', 'memory', 'goals', 'callbacks', 'usage', 'limits', 'contracts', 'keys'] as const;

const places = (isOperator: boolean): Choice[] => {
  const { inbox, sessions, traces, reruns, system } = shell.value;
  return [
    to('place', inbox, HOME),
    to('place', sessions, SESSIONS),
    to('place', traces, TRACE),
    ...(isOperator ? [to('place', reruns, RERUNS)] : []),
    ...PARTS.map((part) => to('place', `${system} › ${systemTexts.value[part]}`, `${SYSTEM}?tab=${part}`)),
  ];
};

const commands = (isOperator: boolean): Choice[] => {
  const { keysOff, keysOn } = shell.value;
  const setting = (title: string, run: () => void): Choice => ({ kind: 'setting', title, run });
  const colours = (of: Theme): Choice =>
    setting(themeTitle(of), () => {
      theme.value = of;
    });
  return [
    ...places(isOperator),
    ...shortcuts.map(({ key, text, run }): Choice => ({ kind: 'command', title: shell.value[text], key, run })),
    ...[colours('system'), colours('light'), colours('dark')],
    language.value === 'en'
      ? setting('语言：中文', () => chooseLanguage('zh'))
      : setting('Language: English', () => chooseLanguage('en')),
    setting(plainKeys.value === 'on' ? keysOff : keysOn, switchPlainKeys),
  ];
};

/** The title of a group of the palette. */
const groupTitle = (kind: Choice['kind']): string => {
  const { waits, sessions, goTo, actions, settings } = shell.value;
  return { task: waits, session: sessions, place: goTo, command: actions, setting: settings }[kind];
};

/** A question, and beside it the task's goal unless both are the same words; beside another's action, whose it is. */
const waitingChoice = (item: InboxItem): Choice => {
  const { title, kind } = item;
  const [state, note] =
    item.of === 'task' ? [item.item.task.state, item.item.task.goal] : ['awaiting_user' as const, kind];
  return to('task', title, sessionOf(item) ?? itemHref(item), { state, ...(note !== title && { note }) });
};

/** Finds everything to go to or do by words: sessions, waiting tasks, commands, settings. */
const Palette = () => {
  const typed = useSignal('');
  const isOperator = useIsOperator();
  const text = typed.value.trim();
  const words = text.toLowerCase().split(/\s+/);
  const { value: found } = useResource(
    (signal) =>
      request<{ sessions: SessionView[] }>('/v1/sessions', { query: { q: text, limit: SESSIONS_MAX }, signal }),
    [text],
  ).loaded.value;
  const last = useRef(found);
  last.current = found ?? last.current;
  const has = ({ title, note = '' }: Choice): boolean =>
    words.every((word) => `${title} ${note}`.toLowerCase().includes(word));
  const waits = inboxItems.value
    .map((item) => ({ item, choice: waitingChoice(item) }))
    .filter(({ choice }) => has(choice));
  const isAbove = ({ session_id }: SessionView): boolean =>
    waits.some(({ item }) => item.of === 'task' && item.item.session_id === session_id);
  // A session that waits is above, by what it asks.
  const sessions = (last.current?.sessions ?? [])
    .filter((session) => !isAbove(session))
    .map((session) => {
      const { session_id, hit } = session;
      const title = nameOf(session);
      const isInTitle = words.every((word) => title.toLowerCase().includes(word));
      const more = { state: stateOf(session), ...(hit !== undefined && !isInTitle && { note: hit }) };
      return to('session', title, sessionHref(session_id), more);
    });
  const sought = text === '' ? [] : words;
  const choices = useChoices({
    label: shell.value.palette,
    choices: [...waits.map(({ choice }) => choice), ...sessions, ...commands(isOperator).filter(has)],
    groupOf: ({ kind }) => groupTitle(kind),
    take: ({ run }) => {
      close();
      // After the dialog has returned the focus.
      requestAnimationFrame(run);
    },
    render: ({ title, state, note, key }) => (
      <>
        {state !== undefined && <Sign meaning={meaningOf(state)} />}
        <span class={`clipped ${note === undefined ? 'fill' : styles.hitTitle}`} dir="auto">
          <Hit text={title} words={sought} />
        </span>
        {note !== undefined && (
          <span class="clipped fill muted small" dir="auto">
            <Hit text={note} words={sought} />
          </span>
        )}
        {key !== undefined && <Key name={key} />}
      </>
    ),
  });
  return (
    <Dialog title={shell.value.palette} onClose={close} isPalette>
      <div class={styles.paletteField}>
        <Icon name="search" />
        <FocusedInput
          {...choices.field}
          role="combobox"
          aria-label={shell.value.palette}
          aria-expanded={choices.list !== false}
          placeholder={shell.value.paletteHint}
          maxLength={200}
          autocomplete="off"
          value={typed.value}
          onInput={({ currentTarget }) => {
            typed.value = currentTarget.value;
            choices.chooseFirst();
          }}
          onKeyDown={(event) => void choices.press(event)}
        />
        <Button kind="quiet" size="small" onClick={close}>
          <span class="visually-hidden">{shared.value.close}</span> <Key name="Escape" />
        </Button>
      </div>
      {choices.list || <p class="muted padded">{shell.value.paletteNone}</p>}
    </Dialog>
  );
};

const Help = () => (
  <Dialog title={shell.value.shortcuts} onClose={close}>
    <label>
      <input type="checkbox" checked={plainKeys.value === 'on'} onChange={switchPlainKeys} /> {shell.value.keysOn}
    </label>
    <dl class="pairs">
      {shortcuts.map(({ key, text }) => (
        <div key={key}>
          <dt>
            <Key name={key} />
          </dt>
          <dd>{shell.value[text]}</dd>
        </div>
      ))}
    </dl>
    <p class="muted">{shell.value.keyEnter}</p>
  </Dialog>
);

/** The palette, opened by Ctrl-K or Cmd-K, or the list of shortcuts, opened by "?". */
export const KeysDialog = () => (keysDialog.value === 'palette' ? <Palette /> : <Help />);
