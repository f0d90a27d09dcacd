import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { ServiceError } from '../../src/lib/errors.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const SESSIONS = 12;
const ROUNDS = 12;

/** Asks for something that may be removed by now. Gives every other error than that it is not found, and nothing else. */
const faultOf = async (ask: () => Promise<unknown>): Promise<unknown[]> => {
  try {
    await ask();
    return [];
  } catch (error) {
    return error instanceof ServiceError && error.status === 404 ? [] : [error];
  }
};

it('a request during the removal of sessions is answered or not found, and every accepted turn is kept', async () => {
  const { engine, db } = await openEngine({ model: createScriptedModel(echo) });
  let isDone = false;
  let removed = 0;
  const pruning = (async () => {
    while (!isDone) {
      // Every settled session may be removed, whatever its age.
      const batches = engine.prune({ before: Date.now() + 60_000, includeWaiting: true });
      for await (const batch of batches) removed += batch.length;
      await nextTurn();
    }
  })();
  const faults: unknown[] = [];
  const use = async (name: string): Promise<void> => {
    const session = sessionOf(engine, name);
    // Until more sessions were removed than there are, so that some were removed and made again.
    for (let round = 0; round < ROUNDS || removed <= SESSIONS; round++) {
      const turn = await session.send(round % 3 === 2 ? '/status' : `Goal ${round}`);
      const task = turn.task_id ?? 'none';
      const found = await Promise.all([
        faultOf(() => session.reply(turn)),
        faultOf(() => session.trace()),
        faultOf(() => session.tasks()),
        faultOf(() => engine.session('local', name)),
        faultOf(() => engine.sessions('local', { limit: 100 })),
        faultOf(() => engine.task('local', task)),
        faultOf(() => Array.fromAsync(engine.taskTrace('local', task))),
      ]);
      faults.push(...found.flat());
    }
  };
  await Promise.all(Array.from({ length: SESSIONS }, (_, index) => use(`s${index}`)));
  isDone = true;
  await pruning;
  expect(faults).toEqual([]);
  expect(removed).toBeGreaterThan(SESSIONS);
  expect(db.pragma('foreign_key_check')).toEqual([]);
  expect(db.prepare('SELECT count(*) FROM turns WHERE finished_at IS NULL').pluck().get()).toBe(0);
});
