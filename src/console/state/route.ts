import { computed, signal } from '@preact/signals';
import { ROOT } from './page-address.ts';

/** A screen of the page, by its address. */
export type Route =
  | { page: 'home' | 'sessions' | 'compare' | 'reruns' | 'trace' | 'system' | 'unknown' }
  /** A session's conversation, and beside it one of its tasks: the newest if `task` is null. */
  | { page: 'session'; session: string; task: string | null };

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Parses an address's path. */
const parseRoute = (path: string): Route => {
  const place = path.slice(ROOT.length).replace(/\/$/, '');
  const [, session, task] = /^\/sessions\/([^/]+)(?:\/tasks\/([^/]+))?$/.exec(place) ?? [];
  if (session !== undefined) return { page: 'session', session: decoded(session), task: task ? decoded(task) : null };
  const page = place.slice(1);
  if (page === '') return { page: 'home' };
  if (page === 'traces') return { page: 'trace' };
  const known = (['sessions', 'compare', 'reruns', 'trace', 'system'] as const).find((name) => name === page);
  return { page: known ?? 'unknown' };
};

/** The address of the field for a new session, and of what waits. */
export const HOME = `${ROOT}/`;

/** The address of the list of sessions. */
export const SESSIONS = `${ROOT}/sessions`;

/** The address of a session. */
export const sessionHref = (session: string): string => `${ROOT}/sessions/${encodeURIComponent(session)}`;

/** The address of a task in a session, with a trace entry, a call and a tab if given. */
export const taskHref = (
  session: string,
  task: string,
  at: { seq?: number | null; call?: number; tab?: string } = {},
): string => {
  const query = new URLSearchParams();
  if (at.seq !== undefined && at.seq !== null) query.set('seq', String(at.seq));
  if (at.tab !== undefined) query.set('tab', at.tab);
  if (at.call !== undefined) query.set('call', String(at.call));
  const text = query.toString();
  return `${sessionHref(session)}/tasks/${encodeURIComponent(task)}${text === '' ? '' : `?${text}`}`;
};

/** The address of a comparison of two tasks, each as `session/task`. */
export const compareHref = (left: string, right: string): string =>
  `${ROOT}/compare?${new URLSearchParams({ left, right })}`;

/** The address of the tasks that ran again. */
export const RERUNS = `${ROOT}/reruns`;

/** The address of one rerun. */
export const rerunHref = (id: string): string => `${RERUNS}?${new URLSearchParams({ id })}`;

/** The address for opening a trace file. */
export const TRACE = `${ROOT}/trace`;

/** The address of tools, limits, usage and keys. */
export const SYSTEM = `${ROOT}/system`;

/** The address that is shown, which the browser's own follows. */
const address = signal(location.pathname + location.search);

const readAddress = (): void => {
  address.value = location.pathname + location.search;
};

addEventListener('popstate', readAddress);

const url = computed(() => new URL(address.value, location.origin));
const path = computed(() => url.value.pathname);

/** The open screen. Depends only on the page's path. */
export const route = computed(() => parseRoute(path.value));

/** The query of the address. */
export const query = computed(() => url.value.searchParams);

/** Wait before the browser's address is written again, in milliseconds: browsers refuse many changes in a row. */
const WRITE_MS = 400;

let writing: ReturnType<typeof setTimeout> | undefined;

const write = (): void => {
  clearTimeout(writing);
  try {
    history.replaceState(null, '', address.peek());
  } catch {}
  if (address.peek() !== location.pathname + location.search) writing = setTimeout(write, WRITE_MS);
};

/** Shows another address of the console without reloading the page. */
export const navigate = (href: string): void => {
  if (href === address.peek()) return;
  write();
  history.pushState(null, '', href);
  readAddress();
};

// Links within the console open in place, unless the user asks the browser for a new tab.
addEventListener('click', (event) => {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]:not([target])') : null;
  if (event.defaultPrevented || link === null || link.origin !== location.origin || !link.pathname.startsWith(ROOT))
    return;
  const hasModifier = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
  if (event.button !== 0 || hasModifier) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});

/** Changes parameters of the query and keeps the others; null removes one. Adds no entry to the browser's history. */
export const setQuery = (changes: Record<string, string | null>): void => {
  const next = new URL(address.peek(), location.origin);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  address.value = next.pathname + next.search;
  write();
};
