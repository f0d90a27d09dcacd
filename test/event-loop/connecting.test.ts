import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it, vi } from 'vitest';
import { connectionCame, waitsForConnections } from '../../src/event-loop/connecting.ts';

it('has work wait half of the time while connections come in, and a fifth where they do without end', async () => {
  let now = performance.now() + 10_000;
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => now);
  const waited: boolean[] = [];
  for (let ms = 0; ms < 3_000; ms += 1) {
    connectionCame();
    waited.push(waitsForConnections());
    now += 1;
    await nextTurn();
  }
  clock.mockRestore();
  const part = (from: number, to: number): number => waited.slice(from, to).filter(Boolean).length / (to - from);
  expect(part(0, 400)).toBeCloseTo(1 / 2, 1);
  expect(part(2_000, 3_000)).toBeCloseTo(1 / 5, 1);
});
