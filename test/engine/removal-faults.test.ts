import { expect, it } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { echo } from '../support/engine/model-answers.ts';
import { openSqliteEngine, type SqliteTestEngine } from '../support/engine/sqlite-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

/** An engine whose disk can not be read, from the commit after `arm` until `mend`. */
const onFailingDisk = () => {
  let isArmed = false;
  const opened: SqliteTestEngine = openSqliteEngine({
    model: createScriptedModel(echo),
    commits: (queue) => ({
      commit: async (write) => {
        const result = await queue.commit(write);
        if (isArmed)
          opened.store.files.assertInPlaceLately = () => {
            throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_READ' });
          };
        return result;
      },
    }),
  });
  const { assertInPlaceLately } = opened.store.files;
  const arm = (): void => {
    isArmed = true;
  };
  const mend = (): void => {
    isArmed = false;
    opened.store.files.assertInPlaceLately = assertInPlaceLately;
  };
  return { ...opened, arm, mend };
};

it('a turn that follows a removal is kept and counted, also where the disk could not be read right after it', async () => {
  const { engine, arm, mend } = onFailingDisk();
  const session = sessionOf(engine);
  await session.ask('One');
  arm();
  await engine.remove('local', 's1');
  mend();
  expect(await engine.usage('local')).toMatchObject({ sessions: 0 });

  const turn = await session.ask('Two');
  await sessionOf(engine, 's2').ask('Three');
  await engine.remove('local', 's2');
  expect(await engine.turn('local', turn.id)).toMatchObject({ session_id: 's1', output: 'did: Two' });
  expect(await engine.usage('local')).toMatchObject({ sessions: 1 });
});
