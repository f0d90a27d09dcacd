import { computed, signal } from '@preact/signals';
import { parseRoute } from './parse-route.ts';

const address = signal(location.pathname + location.search);

addEventListener('popstate', () => {
  address.value = location.pathname + location.search;
});

const url = computed(() => new URL(address.value, location.origin));
const path = computed(() => url.value.pathname);

/** The screen that is open. Changes with the page's path alone. */
export const route = computed(() => parseRoute(path.value));

/** The query of the address. */
export const query = computed(() => url.value.searchParams);

/** Shows another address of the console without loading the page again; `replace` leaves no step to go back to. */
export const navigate = (href: string, { replace = false } = {}): void => {
  if (href === location.pathname + location.search) return;
  history[replace ? 'replaceState' : 'pushState'](null, '', href);
  address.value = href;
};

/** Changes parameters of the query, and leaves the others; null removes one. Leaves no step to go back to. */
export const setQuery = (changes: Record<string, string | null>): void => {
  const next = new URL(location.href);
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) next.searchParams.delete(name);
    else next.searchParams.set(name, value);
  }
  navigate(next.pathname + next.search, { replace: true });
};
