import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { createReads } from '../../src/engine/reads.ts';
import type { StoreReads } from '../../src/engine/store.ts';

const READERS = 60;
const PAGES = 3;

it('of 60 traces that are read at once a few pages are read and shown in one turn of the event loop, and each trace whole', async () => {
  let inTurn = 0;
  const inTurns: number[] = [];
  const store = {
    hasSession: async () => true,
    entries: async (_key: unknown, after: number) => {
      inTurn += 1;
      return { entries: [{ seq: after + 1 } as TraceEntry], isEnd: after + 1 === PAGES };
    },
  } as Partial<StoreReads> as StoreReads;
  const reads = createReads({ store, peek: () => undefined, deferred: () => undefined });
  const readAll = async (session: number): Promise<number[]> => {
    const seqs: number[] = [];
    for await (const { seq } of reads.sessionTrace('local', `s${session}`)) {
      inTurn += 1;
      seqs.push(seq);
    }
    return seqs;
  };
  let isDone = false;
  const counting = (async () => {
    while (!isDone) {
      inTurns.push(inTurn);
      inTurn = 0;
      await nextTurn();
    }
  })();
  const traces = await Promise.all(Array.from({ length: READERS }, (_, session) => readAll(session)));
  isDone = true;
  await counting;
  expect(traces).toEqual(Array.from({ length: READERS }, () => [1, 2, 3]));
  // Requests ask for the first pages, and are taken in slices themselves.
  expect(inTurns.slice(0, 2)).toEqual([0, READERS]);
  expect(Math.max(...inTurns.slice(2))).toBeLessThanOrEqual(8);
});
