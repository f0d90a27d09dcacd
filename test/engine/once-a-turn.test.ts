import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { onceATurn } from '../../src/store/sqlite/once-a-turn.ts';

it('a read is made once a key in a turn of the event loop, and again in the next one and after a write', async () => {
  const asked: string[] = [];
  const read = onceATurn((key: string) => `${key}${asked.push(key)}`);
  expect([read.of('a'), read.of('a'), read.of('b')]).toEqual(['a1', 'a1', 'b2']);
  await nextTurn();
  expect([read.of('a'), read.of('a')]).toEqual(['a3', 'a3']);
  read.forget();
  expect(read.of('a')).toBe('a4');
});

it('what a read throws is not kept', () => {
  let isBroken = true;
  const read = onceATurn(() => {
    if (isBroken) throw new Error('no disk');
    return 'read';
  });
  expect(() => read.of('a')).toThrow('no disk');
  isBroken = false;
  expect(read.of('a')).toBe('read');
});
