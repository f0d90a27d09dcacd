import { expect, it } from 'vitest';
import { createRoundRobin } from '../../src/event-loop/round-robin.ts';

it('lets all who have items take turns, each with the own ones in their order', () => {
  const queue = createRoundRobin<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'a4', 'b2']) queue.push(item.slice(0, 1), item);
  const taken = [queue.shift(), queue.shift(), queue.shift()];
  queue.push('c', 'c1');
  while (queue.length > 0) taken.push(queue.shift());
  expect(taken).toEqual(['a1', 'b1', 'a2', 'b2', 'a3', 'c1', 'a4']);
  expect(queue.shift()).toBe(undefined);
});
