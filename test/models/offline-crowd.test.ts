import { expect, it } from 'vitest';
import { createOfflineModel } from '../../src/models/offline/offline-model.ts';
import { openTask } from '../support/machine/task-driver.ts';
import { requestFor } from './prompts-request.ts';

it('answers sessions that ask in the same moment in turns of the event loop', async () => {
  const { context } = openTask({ goal: 'Add a todo to buy milk' });
  const model = createOfflineModel();
  const signal = new AbortController().signal;
  let answered = 0;
  const inTurns: number[] = [];
  let isOver = false;
  const tick = (): void => {
    inTurns.push(answered);
    answered = 0;
    if (!isOver) setImmediate(tick);
  };
  setImmediate(tick);
  const asked = Array.from({ length: 40 }, async () => {
    await model.answer(requestFor('plan', context), signal);
    answered += 1;
  });
  await Promise.all(asked);
  isOver = true;
  expect(Math.max(answered, ...inTurns)).toBeLessThan(10);
});
