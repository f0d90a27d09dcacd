import { computed } from '@preact/signals';
import { query, setQuery } from '../state/route.ts';
import type { CallFilter } from './waterfall-rows.ts';

/** The filter of the calls, by `?find=` and `?only=`. */
export const callFilter = computed<CallFilter>(() => ({
  search: query.value.get('find') ?? '',
  only: query.value.get('only') ?? '',
}));

/** Shows the calls with these words; empty: any. */
export const findCalls = (words: string): void => setQuery({ find: words === '' ? null : words });

/** Shows calls of one kind; empty: all. */
export const showOnly = (only: string): void => setQuery({ only: only === '' ? null : only });

/** Some calls may be left out. */
export const isFiltered = computed(() => callFilter.value.search !== '' || callFilter.value.only !== '');
