import { expect, it } from 'vitest';
import type { Column, Recorded } from '../../src/console/traces/order.ts';
import { consoleLanguage } from './console-language.ts';

await consoleLanguage();
const { inOrder, orderBy, orderIn, sortOf } = await import('../../src/console/traces/order.ts');

const recorded = (session_id: string, more: Partial<Recorded> = {}): Recorded =>
  ({ session_id, title: null, last_task: { state: 'done', outcome: 'completed' }, ...more }) as Recorded;

const costs = (amount?: string, currency = 'USD') =>
  ({
    last_task: {
      id: 'task',
      state: 'done',
      outcome: 'completed',
      ...(amount !== undefined && { cost: { amount, currency } }),
    },
  }) as Partial<Recorded>;

const names = (tasks: readonly Recorded[], sort: string) =>
  inOrder(tasks, orderIn(sort)).map(({ session_id }) => session_id);

it('recorded tasks without a value are at the end in both directions, and equal ones stay newest first', () => {
  const tasks = [
    recorded('unknown', costs()),
    recorded('small', costs('0.9')),
    recorded('large', costs('10')),
    recorded('small-too', costs('0.90')),
    recorded('euros', costs('2', 'EUR')),
  ];
  expect(names(tasks, 'cost')).toEqual(['euros', 'small', 'small-too', 'large', 'unknown']);
  expect(names(tasks, '-cost')).toEqual(['large', 'small', 'small-too', 'euros', 'unknown']);
});

it('tasks are sorted by name as people count, by state as one filters, and by feedback with the worst first', () => {
  const tasks = [recorded('shelf 10'), recorded('Shelf 9'), recorded('x', { title: 'Anna' })];
  expect(names(tasks, 'task')).toEqual(['x', 'Shelf 9', 'shelf 10']);
  const last = (state: string, outcome: string | null = null) =>
    ({ last_task: { id: 'task', state, outcome } }) as Partial<Recorded>;
  const states = [
    recorded('gave-up', last('done', 'failed')),
    recorded('done', last('done', 'completed')),
    recorded('waits', last('awaiting_user')),
    recorded('thinks', last('thinking')),
  ];
  expect(names(states, 'state')).toEqual(['thinks', 'waits', 'done', 'gave-up']);
  const rated = [
    recorded('none'),
    recorded('good', { feedback: { up: 2, down: 0 } }),
    recorded('bad', { feedback: { up: 1, down: 2 } }),
  ];
  expect(names(rated, 'feedback')).toEqual(['bad', 'good', 'none']);
});

it('a second click reverses a column; an address that names none is newest first', () => {
  const clicked = (...columns: Column[]) =>
    sortOf(columns.reduce((order, column) => orderBy(column, order), orderIn(null)));
  expect(clicked()).toBe(null);
  expect(clicked('cost')).toBe('-cost');
  expect(clicked('cost', 'cost')).toBe('cost');
  expect(clicked('cost', 'task')).toBe('task');
  expect(clicked('task', 'used')).toBe(null);
  expect(clicked('used')).toBe('used');
  for (const wrong of ['', 'toString', '--cost', 'cost,used']) expect(sortOf(orderIn(wrong))).toBe(null);
});
