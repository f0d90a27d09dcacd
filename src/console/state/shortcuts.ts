import { signal } from '@preact/signals';
import { toggleChosen } from './chosen-sessions.ts';
import { listPlace, mayOpenList, openList } from './list-place.ts';
import { undoLast } from './notices.ts';
import { remembered } from './remembered.ts';
import { HOME, navigate, SESSIONS } from './route.ts';
import { lookBack, selectTab, stepCall } from './selection.ts';

/** The open dialog: the list of shortcuts, or the palette; null: none. */
export const keysDialog = signal<'help' | 'palette' | null>(null);

/**
 * Whether keys without a modifier do something. Users of speech input, or who press keys by accident, turn them off.
 */
export const plainKeys = remembered<'on' | 'off'>('shortcuts', 'on');

export const switchPlainKeys = (): void => {
  plainKeys.value = plainKeys.peek() === 'on' ? 'off' : 'on';
};

/** One key, the shell's text that describes it, and its action. */
export interface Shortcut {
  key: string;
  text:
    | 'keyWrite'
    | 'keyNew'
    | 'keyDown'
    | 'keyUp'
    | 'keySearch'
    | 'keyConversation'
    | 'keyTimeline'
    | 'keyMachine'
    | 'keyNextCall'
    | 'keyPreviousCall'
    | 'keyChoose'
    | 'keyUndo'
    | 'keyBack'
    | 'keyHelp';
  run: () => void;
}

const focus = (id: string): void => document.getElementById(id)?.focus();

/** Shows the start of a new session, with its field focused. */
export const openNewSession = (): void => {
  navigate(HOME);
  focus('message');
};

/** The id of the field that searches the sessions. */
export const SEARCH = 'session-search';

/** Shows the list of sessions wherever one is, with its search focused. */
const searchSessions = (): void => {
  if (mayOpenList.peek()) openList(true);
  else if (listPlace.peek() === 'none') navigate(SESSIONS);
  // Once the list is drawn.
  requestAnimationFrame(() => focus(SEARCH));
};

/** Focuses the next or previous row of the lists, starting from the focused or open one. */
const step = (by: 1 | -1): void => {
  const rows = [...document.querySelectorAll<HTMLElement>('a[data-row]')].filter((row) => row.checkVisibility());
  const focused = rows.indexOf(document.activeElement as HTMLElement);
  const from = focused === -1 ? rows.findLastIndex((row) => row.ariaCurrent !== null) : focused;
  rows[Math.max(0, Math.min(rows.length - 1, from + by))]?.focus();
};

/** Begins to choose sessions in the list, with the focused one. */
const chooseFocused = (): void => {
  const session = (document.activeElement as HTMLElement | null)?.dataset.session;
  if (session === undefined) return;
  toggleChosen(session);
  // Its row is drawn anew, with a box in it.
  requestAnimationFrame(() =>
    document.querySelector<HTMLElement>(`[data-session="${CSS.escape(session)}"] input`)?.focus(),
  );
};

/** All keys, in the order in which the dialog lists them. They work while nothing is being written. */
export const shortcuts: readonly Shortcut[] = [
  { key: 'm', text: 'keyWrite', run: () => focus('message') },
  { key: 'n', text: 'keyNew', run: openNewSession },
  { key: 'j', text: 'keyDown', run: () => step(1) },
  { key: 'k', text: 'keyUp', run: () => step(-1) },
  { key: '/', text: 'keySearch', run: () => searchSessions() },
  { key: '1', text: 'keyConversation', run: () => selectTab('conversation') },
  { key: '2', text: 'keyTimeline', run: () => selectTab('timeline') },
  { key: '3', text: 'keyMachine', run: () => selectTab('machine') },
  { key: ']', text: 'keyNextCall', run: () => stepCall.peek()?.(1) },
  { key: '[', text: 'keyPreviousCall', run: () => stepCall.peek()?.(-1) },
  { key: 'x', text: 'keyChoose', run: chooseFocused },
  { key: 'z', text: 'keyUndo', run: undoLast },
  { key: 'Escape', text: 'keyBack', run: () => (listPlace.peek() === 'over' ? openList(false) : lookBack()) },
  {
    key: '?',
    text: 'keyHelp',
    run: () => {
      keysDialog.value = 'help';
    },
  },
];

/** True for a field that takes typed text. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

const isOverDialog = (): boolean => keysDialog.peek() !== null || document.querySelector('dialog[open]') !== null;

/** Whether a key may do something: shortcuts are on, nothing is being written, and no dialog is open or being loaded. */
export const isFree = (event: KeyboardEvent): boolean => {
  const hasModifier = event.ctrlKey || event.metaKey || event.altKey;
  const isTaken = event.defaultPrevented || event.isComposing || hasModifier;
  return plainKeys.value === 'on' && !isTaken && !isWriting(event.target) && !isOverDialog();
};

addEventListener('keydown', (event) => {
  const isPalette = (event.ctrlKey || event.metaKey) && event.key === 'k' && !event.defaultPrevented;
  const run = shortcuts.find(({ key }) => key === event.key)?.run;
  if (isPalette) {
    event.preventDefault();
    if (!isOverDialog()) keysDialog.value = 'palette';
  } else if (run !== undefined && isFree(event)) {
    event.preventDefault();
    run();
  }
});
