import { expect, it } from 'vitest';
import { createOfflineModel } from '../../src/models/offline/offline-model.ts';
import { openTask } from '../support/machine/task-driver.ts';
import { callsInTurns } from '../support/turn-counts.ts';
import { requestFor } from './prompts-request.ts';

it('answers sessions that ask in the same moment in turns of the event loop', async () => {
  const { context } = openTask({ goal: 'Add a todo to buy milk' });
  const model = createOfflineModel();
  const signal = new AbortController().signal;
  const { count, most } = callsInTurns();
  const asked = Array.from({ length: 40 }, async () => {
    await model.answer(requestFor('plan', context), signal);
    count();
  });
  await Promise.all(asked);
  expect(most()).toBeLessThan(10);
});
