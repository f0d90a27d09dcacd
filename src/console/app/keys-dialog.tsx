import { useSignal } from '@preact/signals';
import { useRef } from 'preact/hooks';
import type { SessionView, WaitingTask } from '../../../contracts/http.ts';
import { request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { useIsOperator } from '../api/role.ts';
import { useChoices } from '../design/choices.tsx';
import { Dialog } from '../design/dialog.tsx';
import { FocusedInput } from '../design/form.tsx';
import { askedOf, waiting } from '../inbox/waiting.ts';
import { HOME, navigate, RERUNS, SESSIONS, SYSTEM, sessionHref, TRACE, taskHref } from '../state/route.ts';
import { keysDialog, plainKeys, shortcuts, switchPlainKeys } from '../state/shortcuts.ts';
import { chooseLanguage, language } from '../text/language.ts';
import { shell } from '../text/shell.ts';
import { type Theme, theme, themeTitle } from './page.ts';

/** Sessions that the palette offers. */
const SESSIONS_MAX = 8;

const close = (): void => {
  keysDialog.value = null;
};

const Key = ({ name }: { name: string }) => <kbd>{name === 'Escape' ? 'Esc' : name}</kbd>;

/** A command of the palette. */
interface Choice {
  kind: 'task' | 'session' | 'place' | 'command' | 'setting';
  title: string;
  key?: string;
  run: () => void;
}

const to = (kind: Choice['kind'], title: string, href: string): Choice => ({ kind, title, run: () => navigate(href) });

const commands = (isOperator: boolean): Choice[] => {
  const { inbox, sessions, reruns, system, openTrace, keysOff, keysOn } = shell.value;
  const setting = (title: string, run: () => void): Choice => ({ kind: 'setting', title, run });
  const colours = (of: Theme): Choice =>
    setting(themeTitle(of), () => {
      theme.value = of;
    });
  return [
    ...shortcuts.map(({ key, text, run }): Choice => ({ kind: 'command', title: shell.value[text], key, run })),
    ...[to('place', inbox, HOME), to('place', sessions, SESSIONS)],
    ...[to('place', system, SYSTEM), to('place', openTrace, TRACE)],
    ...(isOperator ? [to('place', reruns, RERUNS)] : []),
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

/** A task's question, with its goal unless both are the same words. */
const waitingTitle = ({ task, question }: WaitingTask): string => {
  const asked = askedOf(task, question);
  return asked === task.goal ? asked : `${asked} · ${task.goal}`;
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
  const tasks = (waiting.loaded.value.value?.tasks ?? []).map((item) =>
    to('task', waitingTitle(item), taskHref(item.session_id, item.task.id)),
  );
  const sessions = (last.current?.sessions ?? []).map(({ session_id, title }) =>
    to('session', title ?? session_id, sessionHref(session_id)),
  );
  const has = ({ title }: Choice): boolean => words.every((word) => title.toLowerCase().includes(word));
  const choices = useChoices({
    label: shell.value.palette,
    choices: [...tasks.filter(has), ...sessions, ...commands(isOperator).filter(has)],
    groupOf: ({ kind }) => groupTitle(kind),
    take: ({ run }) => {
      close();
      // After the dialog has returned the focus.
      requestAnimationFrame(run);
    },
    render: ({ title, key }) => (
      <>
        <span class="clipped fill" dir="auto">
          {title}
        </span>
        {key !== undefined && <Key name={key} />}
      </>
    ),
  });
  return (
    <Dialog title={shell.value.palette} onClose={close}>
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
      {choices.list || <p class="muted">{shell.value.paletteNone}</p>}
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
