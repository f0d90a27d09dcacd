import type { SessionView } from '../../../contracts/http.ts';
import { nameOf } from '../api/sessions.ts';
import { meaningOf, shownState } from '../design/badge.tsx';
import { locale } from '../text/numbers.ts';

/** A session with its last task. */
export interface Recorded extends SessionView {
  last_task: NonNullable<SessionView['last_task']>;
}

/** The order of the list of recorded tasks. */
export interface Order {
  column: Column;
  isDescending: boolean;
}

/** States in the order in which they are filtered by. */
const MEANINGS = ['running', 'waiting', 'paused', 'done', 'failed', 'neutral'] as const;

type Key = readonly (string | number)[] | null;

/** The key that each column sorts by; null: unknown, which is at the end in both directions. */
const keys = {
  task: (task): Key => [nameOf(task)],
  state: ({ last_task }): Key => [MEANINGS.indexOf(meaningOf(shownState(last_task)))],
  // The worst first.
  feedback: ({ feedback }): Key => (feedback === undefined ? null : [feedback.up - feedback.down]),
  entries: ({ last_seq }): Key => [last_seq],
  // Amounts of two currencies are not comparable.
  cost: ({ last_task: { cost } }): Key => (cost === undefined ? null : [cost.currency, Number(cost.amount)]),
  used: ({ updated_at }): Key => [Date.parse(updated_at)],
} satisfies Record<string, (task: Recorded) => Key>;

/** A column of the list. */
export type Column = keyof typeof keys;

/** Columns whose largest value is looked for first. */
const LARGEST_FIRST: readonly Column[] = ['entries', 'cost', 'used'];

/** The order of the API: the most recently used first. */
export const NEWEST_FIRST: Order = { column: 'used', isDescending: true };

export const isNewestFirst = ({ column, isDescending }: Order): boolean => column === 'used' && isDescending;

/** The order of an address's `sort`: a column, and a minus sign before one that is descending. */
export const orderIn = (sort: string | null): Order => {
  const [, minus, name = ''] = /^(-?)(\w+)$/.exec(sort ?? '') ?? [];
  return Object.hasOwn(keys, name) ? { column: name as Column, isDescending: minus === '-' } : NEWEST_FIRST;
};

/** The `sort` of an address; null: it needs none. */
export const sortOf = (order: Order): string | null =>
  isNewestFirst(order) ? null : `${order.isDescending ? '-' : ''}${order.column}`;

/** The order after a click on a column: a second one reverses it. */
export const orderBy = (column: Column, last: Order): Order => ({
  column,
  isDescending: column === last.column ? !last.isDescending : LARGEST_FIRST.includes(column),
});

/** Tasks in an order; those that are equal in it stay as they are. */
export const inOrder = (tasks: readonly Recorded[], { column, isDescending }: Order): Recorded[] => {
  const { compare } = new Intl.Collator(locale.value, { numeric: true });
  const compareParts = (a: string | number, b: string | number): number =>
    typeof a === 'number' && typeof b === 'number' ? a - b : compare(String(a), String(b));
  const compareKeys = (a: Key, b: Key): number => {
    if (a === null || b === null) return Number(a === null) - Number(b === null);
    const ascending = a.reduce<number>((sum, part, i) => sum || compareParts(part, b[i] ?? ''), 0);
    return isDescending ? -ascending : ascending;
  };
  const keyOf: (task: Recorded) => Key = keys[column];
  return tasks
    .map((task) => ({ task, key: keyOf(task) }))
    .toSorted((a, b) => compareKeys(a.key, b.key))
    .map(({ task }) => task);
};
