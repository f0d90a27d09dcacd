import { describe, expect, it } from 'vitest';
import { queueByKey } from '../../src/lib/queue-by-key.ts';

describe('A queue by key', () => {
  it('runs work of one key one after another, in order, whether or not what came before failed', async () => {
    const inTurn = queueByKey();
    const first = Promise.withResolvers<string>();
    const started: number[] = [];
    const work = (number: number, result: Promise<string>) =>
      inTurn('a', () => {
        started.push(number);
        return result;
      });
    const all = Promise.allSettled([
      work(1, first.promise),
      work(2, Promise.resolve('two')),
      work(3, Promise.resolve('three')),
    ]);
    await new Promise(setImmediate);
    expect(started).toEqual([1]);
    first.reject(new Error('one failed'));
    expect(await all).toMatchObject([{ status: 'rejected' }, { value: 'two' }, { value: 'three' }]);
    expect(started).toEqual([1, 2, 3]);
  });

  it('lets no key wait for another', async () => {
    const inTurn = queueByKey();
    const blocked = Promise.withResolvers<string>();
    const first = inTurn('a', () => blocked.promise);
    expect(await inTurn('b', async () => 'at once')).toBe('at once');
    blocked.resolve('later');
    expect(await first).toBe('later');
  });
});
