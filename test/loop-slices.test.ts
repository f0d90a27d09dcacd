import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createCrowdSlices, createLoopSlices } from '../src/loop-slices.ts';
import { longestBlock, MEASURED_AGAIN } from './support/longest-block.ts';

const work = (ms: number): void => {
  for (const from = performance.now(); performance.now() - from < ms; );
};

describe('Work of several kinds that comes up at the same moment', () => {
  it('shares the turns of the event loop', MEASURED_AGAIN, async () => {
    const kinds = Array.from({ length: 8 }, createLoopSlices);
    const all = kinds.flatMap((slices) => [1, 2].map(() => slices.next().then(() => work(8))));
    expect(await longestBlock(() => Promise.all(all))).toBeLessThan(40);
  });

  it('is done in the order of each kind, and none waits for all of another', async () => {
    const [many, few] = [createLoopSlices(), createLoopSlices()];
    const done: string[] = [];
    const all = [
      ...Array.from({ length: 100 }, (_, i) => many.next().then(() => done.push(`many ${i}`))),
      ...Array.from({ length: 6 }, (_, i) =>
        few.next().then(() => {
          work(12);
          done.push(`few ${i}`);
        }),
      ),
    ];
    await Promise.all(all);
    for (const kind of ['many', 'few']) {
      const own = done.filter((name) => name.startsWith(kind));
      expect(own).toEqual(own.map((_, i) => `${kind} ${i}`));
    }
    expect(done.indexOf('few 5')).toBeLessThan(50);
  });
});

describe('A crowd', () => {
  it('begins at once as far as there is room, and the others follow', async () => {
    const inSlices = createCrowdSlices(2);
    const done: number[] = [];
    await nextTurn();
    await nextTurn();
    const last = new Promise<void>((resolve) => {
      for (let i = 0; i < 20; i++) inSlices(() => void (done.push(i) === 20 && resolve()));
    });
    expect(done).toEqual([0, 1]);
    await last;
    expect(done).toEqual(Array.from({ length: 20 }, (_, i) => i));
  });
});
