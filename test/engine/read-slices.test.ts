import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { createReads } from '../../src/engine/reads.ts';
import type { StoreReads } from '../../src/store/port.ts';
import { countedTurns } from '../support/turn-counts.ts';

const READERS = 60;
const PAGES = 3;

it('of 60 traces that are read at once a few pages are read and shown in one turn of the event loop, and each trace whole', async () => {
  const { result: traces, inTurns } = await countedTurns((count) => {
    const store = {
      hasSession: async () => true,
      entries: async (_key: unknown, after: number) => {
        count();
        return { entries: [{ seq: after + 1 } as TraceEntry], isEnd: after + 1 === PAGES };
      },
    } as Partial<StoreReads> as StoreReads;
    const reads = createReads({ store, peek: () => undefined, deferred: () => undefined });
    const readAll = async (session: number): Promise<number[]> => {
      const seqs: number[] = [];
      for await (const { seq } of reads.sessionTrace('local', `s${session}`)) {
        count();
        seqs.push(seq);
      }
      return seqs;
    };
    return Promise.all(Array.from({ length: READERS }, (_, session) => readAll(session)));
  });
  expect(traces).toEqual(Array.from({ length: READERS }, () => [1, 2, 3]));
  // Requests ask for the first pages, and are taken in slices themselves.
  expect(inTurns.slice(0, 2)).toEqual([0, READERS]);
  expect(Math.max(...inTurns.slice(2))).toBeLessThanOrEqual(8);
});
