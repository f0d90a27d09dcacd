import { effect } from '@preact/signals';
import { openSession } from '../api/session-feed.ts';
import { waitingCount } from '../inbox/waiting.ts';
import { remembered } from '../state/remembered.ts';
import { route } from '../state/route.ts';
import { isWriting } from '../state/shortcuts.ts';
import { shell } from '../text/shell.ts';

const screenTitle = (): string | null => {
  const { compare, reruns, sessions, traces: trace, system, unknownPage: unknown } = shell.value;
  const shown = route.value;
  if (shown.page !== 'session') return { home: null, sessions, compare, reruns, trace, system, unknown }[shown.page];
  return (openSession.value?.session_id === shown.session ? openSession.value.title : null) ?? shown.session;
};

// The page's title: the number of waiting tasks, the screen, and the program.
effect(() => {
  const count = waitingCount.value === 0 ? null : `(${waitingCount.value})`;
  const title = screenTitle();
  document.title = [count, title, title === null ? null : '·', 'Tripact'].filter((part) => part !== null).join(' ');
});

/** Focuses the heading of the content, else the content itself, so that screen readers announce where the page is. */
export const focusContent = (): void => {
  const headings = [...document.querySelectorAll<HTMLElement>('main h1, main h2')];
  const shown = headings.find((heading) => heading.closest('nav, dialog') === null && heading.checkVisibility());
  const target = shown ?? document.querySelector<HTMLElement>('main');
  if (target === null) return;
  target.tabIndex = -1;
  target.focus({ preventScroll: true });
};

let last = route.peek();

// After another screen is drawn. A field that took the focus by itself keeps it.
effect(() => {
  if (route.value === last) return;
  last = route.value;
  requestAnimationFrame(() => {
    if (!isWriting(document.activeElement) && document.querySelector('dialog[open]') === null) focusContent();
  });
});

/** Light, dark, or the system's choice. */
export type Theme = 'system' | 'light' | 'dark';

export const theme = remembered<Theme>('theme', 'system');

/** The name of a theme. */
export const themeTitle = (of: Theme): string => {
  const { theme, themeSystem: system, themeLight: light, themeDark: dark } = shell.value;
  return `${theme}: ${{ system, light, dark }[of]}`;
};

effect(() => {
  document.documentElement.dataset.theme = theme.value;
});
