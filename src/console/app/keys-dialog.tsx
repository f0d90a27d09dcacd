import { useSignal } from '@preact/signals';
import { useEffect, useId, useRef } from 'preact/hooks';
import type { SessionView } from '../../../contracts/http.ts';
import { request } from '../api/request.ts';
import { useResource } from '../api/resource.ts';
import { Dialog } from '../design/dialog.tsx';
import { FocusedInput } from '../design/form.tsx';
import { askedFor, waiting } from '../inbox/waiting.ts';
import { chooseLanguage, language } from '../text/language.ts';
import styles from './app.module.css';
import { chooseTheme } from './page.ts';
import { HOME, navigate, SYSTEM, sessionHref, TRACE, taskHref } from './route.ts';
import { areShortcutsOn, keysDialog, shortcuts, switchShortcuts } from './shortcuts.ts';
import { shell } from './texts.ts';

/** Sessions that the palette offers. */
const SESSIONS_MAX = 8;

/** Something that the palette can do. */
interface Choice {
  id: string;
  kind: string;
  title: string;
  key?: string;
  run: () => void;
}

const commands = (): Choice[] => {
  const texts = shell.value;
  const to = (href: string, title: string): Choice => ({
    ...{ id: href, kind: texts.command, title },
    run: () => navigate(href),
  });
  const setting = (title: string, run: () => void): Choice => ({ id: title, kind: texts.setting, title, run });
  return [
    ...shortcuts.map(({ key, text, run }) => ({ id: `key ${key}`, kind: texts.command, title: text(), key, run })),
    to(HOME, texts.home),
    to(SYSTEM, texts.system),
    to(TRACE, texts.openTrace),
    setting(`${texts.theme}: ${texts.themeSystem}`, () => chooseTheme('system')),
    setting(`${texts.theme}: ${texts.themeLight}`, () => chooseTheme('light')),
    setting(`${texts.theme}: ${texts.themeDark}`, () => chooseTheme('dark')),
    language.value === 'en'
      ? setting('语言：中文', () => chooseLanguage('zh'))
      : setting('Language: English', () => chooseLanguage('en')),
    setting(areShortcutsOn.value ? texts.keysOff : texts.keysOn, () => switchShortcuts(!areShortcutsOn.value)),
  ];
};

const close = (): void => {
  keysDialog.value = null;
};

/** All that can be gone to or done, by words: sessions, tasks that wait, commands, settings. */
const Palette = () => {
  const typed = useSignal('');
  const chosen = useSignal(0);
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const words = typed.value.trim().toLowerCase().split(/\s+/);
  const found = useResource(
    (signal) =>
      request<{ sessions: SessionView[] }>('/v1/sessions', { query: { q: typed.value, limit: SESSIONS_MAX }, signal }),
    [typed.value.trim()],
  ).loaded.value.value;
  const last = useRef(found);
  if (found !== undefined) last.current = found;
  const tasks = (waiting.loaded.value.value?.tasks ?? []).map(
    (item): Choice => ({
      ...{ id: item.task.id, kind: shell.value.task, title: `${askedFor(item)} · ${item.task.goal}` },
      run: () => navigate(taskHref(item.session_id, item.task.id)),
    }),
  );
  const has = ({ title }: Choice): boolean => words.every((word) => title.toLowerCase().includes(word));
  const sessions = (last.current?.sessions ?? []).map(
    ({ session_id, title }): Choice => ({
      ...{ id: session_id, kind: shell.value.session, title: title ?? session_id },
      run: () => navigate(sessionHref(session_id)),
    }),
  );
  const choices = [...tasks.filter(has), ...sessions, ...commands().filter(has)];
  const index = Math.min(chosen.value, choices.length - 1);
  useEffect(() => list.current?.children[index]?.scrollIntoView({ block: 'nearest' }), [index]);
  const take = (choice: Choice | undefined): void => {
    if (choice === undefined) return;
    close();
    // Once the dialog has given the focus back.
    requestAnimationFrame(choice.run);
  };
  const move = (event: KeyboardEvent): void => {
    if (event.isComposing) return;
    if (event.key === 'Enter') take(choices[index]);
    else if (event.key === 'ArrowDown') chosen.value = (index + 1) % choices.length;
    else if (event.key === 'ArrowUp') chosen.value = (index - 1 + choices.length) % choices.length;
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title={shell.value.palette} onClose={close}>
      <FocusedInput
        role="combobox"
        aria-label={shell.value.palette}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={choices.length === 0 ? undefined : `${id}-${index}`}
        placeholder={shell.value.paletteHint}
        maxLength={200}
        autocomplete="off"
        value={typed.value}
        onInput={(event) => {
          typed.value = event.currentTarget.value;
          chosen.value = 0;
        }}
        onKeyDown={move}
      />
      <div ref={list} id={id} class={styles.choices} role="listbox" aria-label={shell.value.palette} tabIndex={-1}>
        {choices.map((choice, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the field above has the keys.
          <div
            key={choice.id}
            id={`${id}-${i}`}
            class={`row ${styles.choice}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === index}
            onClick={() => take(choice)}
            onPointerMove={() => {
              chosen.value = i;
            }}
          >
            <span class={`small muted ${styles.kind}`}>{choice.kind}</span>
            <span class="clipped fill" dir="auto">
              {choice.title}
            </span>
            {choice.key !== undefined && <kbd>{choice.key === 'Escape' ? 'Esc' : choice.key}</kbd>}
          </div>
        ))}
      </div>
      {choices.length === 0 && <p class="muted">{shell.value.paletteNone}</p>}
    </Dialog>
  );
};

const Help = () => (
  <Dialog title={shell.value.shortcuts} onClose={close}>
    <label>
      <input
        type="checkbox"
        checked={areShortcutsOn.value}
        onChange={(event) => switchShortcuts(event.currentTarget.checked)}
      />
      {shell.value.keysOn}
    </label>
    <dl class="pairs">
      {shortcuts.map(({ key, text }) => (
        <div key={key}>
          <dt>
            <kbd>{key === 'Escape' ? 'Esc' : key}</kbd>
          </dt>
          <dd>{text()}</dd>
        </div>
      ))}
    </dl>
    <p class="muted">{shell.value.keyEnter}</p>
  </Dialog>
);

/** The palette, by Ctrl-K or Cmd-K; or the keys that work everywhere, by "?". */
export const KeysDialog = () => (keysDialog.value === 'palette' ? <Palette /> : <Help />);
