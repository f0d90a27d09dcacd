import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createWorkspaces, workspacePath } from '../../src/workspace/folder.ts';
import { createMirror } from '../../src/workspace/mirror.ts';
import { BLOCKED_MS_MAX } from '../expressions/blocked-for.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';
import { longestBlock } from '../support/longest-block.ts';
import { actingTask } from '../support/workspace/acting-task.ts';

/** A mirror on a data folder of its own. */
const openMirror = () => {
  const dataDir = freshDataDir();
  const mirror = createMirror({
    workspaceOf: createWorkspaces(dataDir),
    log: pino({ level: 'silent' }),
    eventsOf: async function* () {},
  });
  return { dataDir, mirror };
};

it('the files of as many sessions as may run are written over turns of the event loop, also where the service stops', async () => {
  const { dataDir, mirror } = openMirror();
  const sessions = Array.from({ length: 400 }, (_, i) => ({ owner: 'local', session_id: `s${i}` }));
  const planOf = (session: number): string => join(workspacePath(dataDir, 'local', `s${session}`), 'plan.json');
  const blocked = await longestBlock(async () => {
    for (const [i, session] of sessions.entries()) void mirror.note(session, actingTask(i), false, []);
    const stopped = mirror.stop();
    mirror.forget(sessions[399]!);
    await stopped;
  });
  expect(blocked).toBeLessThan(BLOCKED_MS_MAX);
  expect(sessions.filter((_, i) => existsSync(planOf(i)))).toHaveLength(399);
  expect(existsSync(planOf(399))).toBe(false);
});

it("an owner's files are written before all those of another one whose tasks move on in the same moment", async () => {
  const { dataDir, mirror } = openMirror();
  const isWritten = (owner: string, session_id: string): boolean =>
    existsSync(join(workspacePath(dataDir, owner, session_id), 'plan.json'));
  const sessions = Array.from({ length: 400 }, (_, i) => `s${i}`);
  for (const [i, session_id] of sessions.entries())
    void mirror.note({ owner: 'ada', session_id }, actingTask(i), true, []);
  await mirror.note({ owner: 'bob', session_id: 's' }, actingTask(400), true, []);
  expect(isWritten('bob', 's')).toBe(true);
  expect(sessions.filter((session_id) => isWritten('ada', session_id)).length).toBeLessThan(100);
  await mirror.stop();
});
