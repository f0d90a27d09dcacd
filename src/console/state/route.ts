import { computed, signal } from '@preact/signals';

/** A screen of the page, by its address. */
export type Route =
  | { page: 'home' | 'compare' | 'trace' | 'system' | 'unknown' }
  /** A session's conversation, and beside it one of its tasks: the newest where `task` is null. */
  | { page: 'session'; session: string; task: string | null };

const ROOT = '/console';

const decoded = (part: string): string => {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
};

/** Reads an address's path. */
const parseRoute = (path: string): Route => {
  const place = path.slice(ROOT.length).replace(/\/$/, '');
  const [, session, task] = /^\/sessions\/([^/]+)(?:\/tasks\/([^/]+))?$/.exec(place) ?? [];
  if (session !== undefined) return { page: 'session', session: decoded(session), task: task ? decoded(task) : null };
  const page = place.slice(1);
  if (page === '') return { page: 'home' };
  return { page: page === 'compare' || page === 'trace' || page === 'system' ? page : 'unknown' };
};

/** Where the inbox and the sessions are. */
export const HOME = `${ROOT}/`;

/** Where a session is. */
export const sessionHref = (session: string): string => `${ROOT}/sessions/${encodeURIComponent(session)}`;

/** Where a task of a session is, at a trace entry and in a tab if they are given. */
export const taskHref = (session: string, task: string, at: { seq?: number | null; tab?: string } = {}): string => {
  const query = new URLSearchParams();
  if (at.seq !== undefined && at.seq !== null) query.set('seq', String(at.seq));
  if (at.tab !== undefined) query.set('tab', at.tab);
  const text = query.toString();
  return `${sessionHref(session)}/tasks/${encodeURIComponent(task)}${text === '' ? '' : `?${text}`}`;
};

/** Where two tasks are compared, each as `session/task`. */
export const compareHref = (left: string, right: string): string =>
  `${ROOT}/compare?${new URLSearchParams({ left, right })}`;

/** Where a trace file is opened. */
export const TRACE = `${ROOT}/trace`;

/** Where tools, limits, usage and keys are. */
export const SYSTEM = `${ROOT}/system`;

/** The address that is shown, which the browser's own follows. */
const address = signal(location.pathname + location.search);

const readAddress = (): void => {
  address.value = location.pathname + location.search;
};

addEventListener('popstate', readAddress);

const url = computed(() => new URL(address.value, location.origin));
const path = computed(() => url.value.pathname);

/** The screen that is open. Changes with the page's path alone. */
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

/** Shows another address of the console without loading the page again. */
export const navigate = (href: string): void => {
  if (href === address.peek()) return;
  write();
  history.pushState(null, '', href);
  readAddress();
};

// Links within the console are opened in place, or by the browser where its user asks for a new tab.
addEventListener('click', (event) => {
  const link =
    event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]:not([target])') : null;
  if (link === null || link.origin !== location.origin || !link.pathname.startsWith(ROOT)) return;
  if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return;
  event.preventDefault();
  navigate(link.pathname + link.search);
});

/** Changes parameters of the query, and leaves the others; null removes one. Leaves no step to go back to. */
export const setQuery = (changes: Record<string, string | null>): void => {
  const next = new URL(address.peek(), location.origin);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  address.value = next.pathname + next.search;
  write();
};
