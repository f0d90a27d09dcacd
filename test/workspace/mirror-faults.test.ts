import { rmSync } from 'node:fs';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import type { TaskSnapshot } from '../../contracts/task.ts';
import { createWorkspaces } from '../../src/workspace/folder.ts';
import { createMirror } from '../../src/workspace/mirror.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

const item = {
  id: 'i1',
  step: 'Dig',
  status: 'in_progress',
  result: null,
  rounds: 1,
  depends_on: [],
  executor: 'default',
};
/** A task that works on its first item, as a mirror needs it; of its number. */
const actingTask = (session: number): TaskSnapshot =>
  ({
    state: 'acting',
    context: {
      ...{
        task_id: `task_${session}`,
        goal: 'Garden',
        language: 'en',
        plan_items: [item],
        past_items: [],
        outcome: null,
      },
      ...{ rounds_item_id: 'i1', rounds: 1, iteration_count: 1, successful_steps: 1, failed_steps: 0, step_count: 1 },
      ...{ step_limit: 20, limits: { max_rounds_per_item: 12 }, last_thought_snapshot: null },
    },
  }) as unknown as TaskSnapshot;

/** A mirror on a data folder of its own, and the lines that it logs. `onFolder` is called as the folder of a session was made. */
const openMirror = (onFolder: (folder: string) => void = () => {}) => {
  const dataDir = freshDataDir();
  const lines: string[] = [];
  const workspaceOf = createWorkspaces(dataDir);
  const mirror = createMirror({
    workspaceOf: (owner, session_id) => {
      const folder = workspaceOf(owner, session_id);
      onFolder(folder);
      return folder;
    },
    log: pino({ level: 'error' }, { write: (line) => void lines.push(line) }),
    eventsOf: async function* () {},
  });
  return { dataDir, mirror, lines };
};

it('a session that is removed as its files are written leaves no line in the log', async () => {
  const session = { owner: 'local', session_id: 's1' };
  const { mirror, lines } = openMirror((folder) => {
    mirror.forget(session);
    rmSync(folder, { recursive: true });
  });
  mirror.note(session, actingTask(1), true, []);
  await mirror.stop();
  expect(lines).toEqual([]);
});

it('a session that takes the name of one that was removed does not get the files of that one', async () => {
  const session = { owner: 'local', session_id: 's1' };
  const folders: string[] = [];
  const { mirror } = openMirror((folder) => void folders.push(folder));
  mirror.note(session, actingTask(1), false, []);
  mirror.forget(session);
  const { context } = actingTask(2);
  const opened = { state: 'thinking' as const, context: { ...context, rounds_item_id: null, successful_steps: 0 } };
  mirror.note(session, opened as never, false, []);
  await mirror.stop();
  expect(folders).toEqual([]);
});
