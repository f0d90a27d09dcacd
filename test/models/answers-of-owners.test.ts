import type { Dispatcher } from 'undici';
import { expect, it } from 'vitest';
import { askingOwner } from '../../src/event-loop/asking-owner.ts';
import { Receiver } from '../../src/models/http/receiver.ts';

const CALLS = 500;

it("hands an owner's answer on before all those of another one that come in the same moment", async () => {
  const order: string[] = [];
  const asked = [...Array.from({ length: CALLS }, () => 'ada'), 'bob'].map((owner) => {
    const { promise, resolve, reject } = Promise.withResolvers<unknown>();
    const receiver = askingOwner.run(owner, () => new Receiver({ idleMs: 60_000, signal: null, resolve, reject }));
    return { receiver, answered: promise.then(() => order.push(owner)) };
  });
  for (const { receiver } of asked) {
    receiver.onResponseStart({} as Dispatcher.DispatchController, 200, {});
    receiver.onResponseEnd();
  }
  await Promise.all(asked.map(({ answered }) => answered));
  expect(order.indexOf('bob')).toBeLessThan(50);
});
