import { expect, it } from 'vitest';
import { ServiceError } from '../../src/lib/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

it('a quota that cannot be read before a model call delays its task, and only until it can', async () => {
  let reads = 0;
  const { engine } = await openEngine({
    model: createScriptedModel(echo),
    around: (store) => {
      const { quotas } = store.access;
      const of: typeof quotas.of = async (owner) => {
        reads += 1;
        // The first one is for the turn.
        if (reads === 2) throw new ServiceError('STORAGE_UNAVAILABLE', 'the database is away');
        return quotas.of(owner);
      };
      return { ...store, access: { ...store.access, quotas: { ...quotas, of } } };
    },
  });
  expect(await sessionOf(engine).ask('Paint')).toMatchObject({ status: 'answered', output: 'did: Paint' });
  expect(reads).toBeGreaterThan(2);
});

it('a session that cannot be loaded while the engine stops keeps nothing open', async () => {
  const gate = Promise.withResolvers<never>();
  let isHeld = false;
  const loads = Promise.withResolvers<void>();
  const opened = await openEngine({
    model: createScriptedModel(echo),
    around: (store) => ({
      ...store,
      load: async (...asked) => {
        if (!isHeld) return store.load(...asked);
        loads.resolve();
        return gate.promise;
      },
    }),
  });
  isHeld = true;
  const sent = sessionOf(opened.engine).send('Paint');
  await loads.promise;
  const closed = opened.engine.close();
  gate.reject(new Error('a row is damaged'));
  await expect(sent).rejects.toThrow('a row is damaged');
  await closed;
  isHeld = false;
  expect(await sessionOf((await opened.reopen()).engine).ask('Paint')).toMatchObject({ output: 'did: Paint' });
});
