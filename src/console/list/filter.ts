import { effect } from '@preact/signals';
import type { Rating } from '../../../contracts/feedback.ts';
import { listPlace } from '../state/list-place.ts';
import { openDraft } from '../state/remembered.ts';
import { query, setQuery } from '../state/route.ts';

/** States that sessions are filtered by. */
export const STATES = ['running', 'awaiting_user', 'paused', 'done', 'failed', 'cancelled'] as const;

/** Days that a filter by date goes back, today included. */
export const DAYS = ['1', '7', '30'] as const;

/** Ratings of replies, those first that one looks for. */
export const RATINGS = ['down', 'up'] as const satisfies Rating[];

/** Costs that a filter offers, in the currency of the prices. */
export const COSTS = ['0.01', '0.1', '1'] as const;

/** True for an amount of money as it is typed. */
export const isAmount = (text: string): boolean => /^\d{1,9}(\.\d{1,12})?$/.test(text);

/** The search and the filters of the list, kept for this tab: a phone draws the list anew each time. Empty: none. */
export const filter = {
  words: openDraft('list.words'),
  state: openDraft('list.state'),
  days: openDraft('list.days'),
  rating: openDraft('list.rating'),
  tool: openDraft('list.tool'),
  cost: openDraft('list.cost'),
};

type Name = keyof typeof filter;

/** The parameters of the address that have them, and what each may be. */
const parameters: Record<Name, readonly [parameter: string, isPossible: (text: string) => boolean]> = {
  words: ['q', () => true],
  state: ['state', (text) => STATES.some((state) => state === text)],
  days: ['days', (text) => DAYS.some((days) => days === text)],
  rating: ['feedback', (text) => RATINGS.some((rating) => rating === text)],
  tool: ['tool', () => true],
  cost: ['cost', isAmount],
};

const entries = Object.entries(parameters) as [Name, (typeof parameters)[Name]][];

/** An address that was sent by somebody says which sessions are meant. */
const takeFromAddress = (): void => {
  const given = query.peek();
  if (!entries.some(([, [parameter]]) => given.has(parameter))) return;
  for (const [name, [parameter, isPossible]] of entries) {
    const text = given.get(parameter) ?? '';
    filter[name].value = isPossible(text) ? text : '';
  }
};

takeFromAddress();

// The address follows wherever the list is shown.
effect(() => {
  if (listPlace.value === 'none') return;
  const wanted = entries.map(([name, [parameter]]) => [parameter, filter[name].value || null] as const);
  const isSaid = wanted.every(([parameter, value]) => query.value.get(parameter) === value);
  if (!isSaid) setQuery(Object.fromEntries(wanted));
});
