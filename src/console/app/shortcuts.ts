import { signal } from '@preact/signals';
import { openNewSession } from '../sessions/new-session.ts';
import { selectSeq, selectTab } from './selection.ts';
import { shell } from './texts.ts';

/** The dialog with all shortcuts is open. */
export const isHelpOpen = signal(false);

/** One key, what it does in words, and what it does. */
export interface Shortcut {
  key: string;
  text: () => string;
  run: () => void;
}

const focus = (id: string): void => document.getElementById(id)?.focus();

/** All keys, in the order in which the dialog lists them. They work while nothing is being written. */
export const shortcuts: readonly Shortcut[] = [
  { key: 'm', text: () => shell.value.keyWrite, run: () => focus('message') },
  { key: 'n', text: () => shell.value.keyNew, run: openNewSession },
  { key: '/', text: () => shell.value.keySearch, run: () => focus('session-search') },
  { key: '1', text: () => shell.value.keyPlan, run: () => selectTab('plan') },
  { key: '2', text: () => shell.value.keyMachine, run: () => selectTab('machine') },
  { key: '3', text: () => shell.value.keyTimeline, run: () => selectTab('timeline') },
  { key: 'Escape', text: () => shell.value.keyNewest, run: () => selectSeq(null) },
  {
    key: '?',
    text: () => shell.value.keyHelp,
    run: () => {
      isHelpOpen.value = true;
    },
  },
];

const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

addEventListener('keydown', (event) => {
  if (event.defaultPrevented || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
  if (isWriting(event.target) || document.querySelector('dialog[open]') !== null) return;
  const found = shortcuts.find(({ key }) => key === event.key);
  if (found === undefined) return;
  event.preventDefault();
  found.run();
});
