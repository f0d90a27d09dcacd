import { expect, it } from 'vitest';
import { NamedPlanId } from '../../contracts/named-plan.ts';
import { findEntries } from '../../src/models/offline/entries.ts';
import { BLOCKED_MS_MAX, blockedFor } from './blocked-for.ts';

/** Marks that have to be brought into order: what takes time by the square of their number. */
const marks = (chars: number): string => `x${'\u0301\u0316\u0327\u0334'.repeat(chars / 4)}`;

it('takes a name with its marks apart for the same as with them composed', () => {
  expect(NamedPlanId.parse(' cafe\u0301 ')).toBe('caf\u00e9');
});

it('compares a name of many words with entries of many marks at once', () => {
  const lines = Array.from({ length: 10 }, (_, i) => `#${i + 1} ${marks(980)}`).join('\n');
  const target = {
    ...{ entry: 'todo', id: null, name: 'x '.repeat(1_000).trim(), said: '', isReference: false, isAll: false },
    times: { day: null, clock: null, part: null },
  } as unknown as Parameters<typeof findEntries>[0];
  const context = { now: 0, timezone: 'UTC', task: { language: 'en' } } as unknown as Parameters<typeof findEntries>[1];
  const find = () => {
    const work = findEntries(target, context);
    work.next();
    return work.next({ result: lines } as never).value;
  };
  expect(find()).toHaveLength(10);
  expect(blockedFor(find)).toBeLessThan(BLOCKED_MS_MAX);
});
