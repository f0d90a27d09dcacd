import { expect, it } from 'vitest';
import { createTimeSlices } from '../../src/engine/time-slices.ts';
import { countedTurns } from '../support/turn-counts.ts';

const SESSIONS = 60;

/** Work of one session, in milliseconds, part of it behind promises: ten of them fill a slice of 20. */
const WORK_MS = 2;

const work = async (): Promise<void> => {
  for (let part = 0; part < 2; part++) {
    const end = performance.now() + WORK_MS / 2;
    while (performance.now() < end);
    await null;
  }
};

it('lets waiting sessions on in their order, and no more in one turn of the event loop than fit into a slice', async () => {
  const yieldTurn = createTimeSlices();
  const order: number[] = [];
  const { inTurns } = await countedTurns((count) =>
    Promise.all(
      Array.from({ length: SESSIONS }, async (_, session) => {
        for (let round = 0; round < 2; round++) {
          await yieldTurn();
          order.push(session);
          count();
          await work();
        }
      }),
    ),
  );
  const all = Array.from({ length: SESSIONS }, (_, session) => session);
  expect([...new Set(order)]).toEqual(all);
  expect(order.toSorted((a, b) => a - b)).toEqual(all.flatMap((session) => [session, session]));
  expect(Math.max(...inTurns)).toBeLessThanOrEqual(11);
});

it('is passed at once while the slice lasts', async () => {
  const yieldTurn = createTimeSlices();
  await yieldTurn();
  expect(yieldTurn()).toBe(null);
});

it("lets another owner's session on before all those of one that wait", async () => {
  const yieldTurn = createTimeSlices();
  const order: string[] = [];
  const sessionOf = async (owner: string): Promise<void> => {
    await yieldTurn(owner);
    order.push(owner);
    await work();
  };
  await Promise.all([...Array.from({ length: SESSIONS }, () => 'ada'), 'bob'].map(sessionOf));
  expect(order.indexOf('bob')).toBeLessThan(3);
});
