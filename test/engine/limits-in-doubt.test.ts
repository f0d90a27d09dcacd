import { expect, it, onTestFinished } from 'vitest';
import { ServiceError } from '../../src/lib/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import type { Store } from '../../src/store/port.ts';
import { straight } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const lost = () => new ServiceError('STORAGE_UNAVAILABLE', 'the answer to the commit is lost');

it('a limit holds for other sessions while nobody knows whether a turn of one is stored', async () => {
  const reachable = Promise.withResolvers<void>();
  let isInDoubt = false;
  const around = (store: Store): Store => ({
    ...store,
    commit: async (image, decide) => {
      const made = await store.commit(image, decide);
      if (image.session.session_id !== 's1' || isInDoubt) return made;
      isInDoubt = true;
      throw lost();
    },
    load: async (...key) => {
      if (isInDoubt) await reachable.promise;
      return store.load(...key);
    },
  });
  const model = createScriptedModel([...straight('Hi'), ...straight('Hi')]);
  const { engine } = await openEngine({ model, around, serviceLimits: { unfinished_turns: 1, running_tasks: 1 } });
  onTestFinished(() => reachable.resolve());
  await sessionOf(engine, 's2').ask('/status');
  await expect(sessionOf(engine, 's1').send('First')).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
  await expect(sessionOf(engine, 's2').send('Second')).rejects.toMatchObject({ code: 'TOO_MANY_REQUESTS' });
  reachable.resolve();
  await expect.poll(async () => (await engine.usage('local')).unfinished_turns).toBe(0);
  expect(await sessionOf(engine, 's2').ask('Third')).toMatchObject({ status: 'answered' });
});

it('a callback whose end is stored though that seemed to fail is pending no more', async () => {
  let tries = 0;
  const around = (store: Store): Store => ({
    ...store,
    settleCallback: async (...settled) => {
      tries += 1;
      const wasPending = await store.settleCallback(...settled);
      if (tries === 1) throw lost();
      return wasPending;
    },
  });
  const { engine } = await openEngine({
    model: createScriptedModel([]),
    around,
    serviceLimits: { pending_callbacks: 1 },
    postCallback: async () => new Response(),
  });
  const session = sessionOf(engine, 's1');
  await session.ask('/status', { callback_url: 'http://own.example/' });
  await expect.poll(() => tries).toBe(1);
  await expect.poll(async () => (await engine.usage('local')).pending_callbacks).toBe(0);
  await session.ask('/status', { callback_url: 'http://own.example/' });
});
