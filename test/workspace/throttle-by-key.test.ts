import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { throttleByKey } from '../../src/workspace/throttle-by-key.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

it('does the first work at once, and of what comes within the time only the newest, at the end of that time', () => {
  const done: string[] = [];
  const { run } = throttleByKey(250);
  for (const each of ['first', 'second', 'third']) run('a', () => done.push(each));
  expect(done).toEqual(['first']);
  vi.advanceTimersByTime(249);
  expect(done).toEqual(['first']);
  vi.advanceTimersByTime(1);
  expect(done).toEqual(['first', 'third']);
  run('a', () => done.push('fourth'));
  expect(done).toEqual(['first', 'third']);
  vi.advanceTimersByTime(250);
  expect(done).toEqual(['first', 'third', 'fourth']);
});

it("does a key's work at once after a quiet time, whatever others do", () => {
  const done: string[] = [];
  const { run } = throttleByKey(250);
  run('a', () => done.push('a1'));
  run('b', () => done.push('b1'));
  vi.advanceTimersByTime(250);
  run('a', () => done.push('a2'));
  expect(done).toEqual(['a1', 'b1', 'a2']);
});

it('runs pending work when it is flushed, once', () => {
  const done: string[] = [];
  const { run, flush } = throttleByKey(250);
  for (const each of ['first', 'second']) run('a', () => done.push(each));
  flush();
  expect(done).toEqual(['first', 'second']);
  vi.runAllTimers();
  expect(done).toEqual(['first', 'second']);
});
