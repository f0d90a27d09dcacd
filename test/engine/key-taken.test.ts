import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { KeyTaken } from '../../src/store/port.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

it('a turn whose key belonged to another one, which was removed before it was read, is stored', async () => {
  const arrived = Promise.withResolvers<void>();
  let commits = 0;
  const { engine } = await openEngine({
    model: createScriptedModel([]),
    around: (store) => ({
      ...store,
      commit: async (image, decide) => {
        commits += 1;
        if (commits === 2) arrived.resolve();
        await arrived.promise;
        try {
          return await store.commit(image, decide);
        } catch (error) {
          if (error instanceof KeyTaken)
            await engine.remove('local', image.session.session_id === 'one' ? 'two' : 'one');
          throw error;
        }
      },
    }),
  });
  const sent = ['one', 'two'].map((session_id) =>
    sessionOf(engine, session_id).send('/status', { idempotency_key: 'k' }),
  );
  expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(['ran', 'ran']);
  expect((await engine.sessions('local', { limit: 10 })).items).toHaveLength(1);
});
