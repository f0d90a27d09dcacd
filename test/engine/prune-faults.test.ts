import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

it('a session that cannot be removed stops no other removal, and is named at the end', async () => {
  let isPruning = false;
  const { engine } = await openEngine({
    model: createScriptedModel(echo),
    around: (store) => ({
      ...store,
      commit: async (image, decide) => {
        if (isPruning && image.session.session_id === 's3') throw new Error('s3 is damaged');
        return store.commit(image, decide);
      },
    }),
  });
  const names = Array.from({ length: 25 }, (_, i) => `s${i}`);
  for (const name of names) await sessionOf(engine, name).ask('/status');
  isPruning = true;
  const removed: string[] = [];
  const prune = async (): Promise<void> => {
    for await (const batch of engine.prune({ before: Date.now() + 1_000, includeWaiting: false }))
      removed.push(...batch.map(({ session_id }) => session_id));
  };
  await expect(prune()).rejects.toThrow('s3 is damaged');
  expect(removed.toSorted()).toEqual(names.filter((name) => name !== 's3').toSorted());
});
