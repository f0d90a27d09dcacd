import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
      task_id: `task_${session}`,
      goal: 'Garden',
      language: 'en',
      plan_items: [item],
      past_items: [],
      outcome: null,
      rounds_item_id: 'i1',
      rounds: 1,
      iteration_count: 1,
      successful_steps: 1,
      failed_steps: 0,
      step_count: 1,
      step_limit: 20,
      limits: { max_rounds_per_item: 12 },
      last_thought_snapshot: null,
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
  return { folder: join(dataDir, 'workspace', '.sessions', 's1'), mirror, lines };
};

/** The same task, which calls `onRead` as its text for plan.json is made. */
const whenRead = (task: TaskSnapshot, onRead: () => void): TaskSnapshot => ({
  ...task,
  context: Object.defineProperty({ ...task.context }, 'goal', {
    get: () => {
      onRead();
      return 'Garden';
    },
  }),
});

describe.each(['folder is opened', 'text is made'])('a session that is removed while its %s', (moment) => {
  it.each([false, true])(
    'leaves nothing behind, nor a line in the log (its name is taken again: %s)',
    async (isTaken) => {
      const session = { owner: 'local', session_id: 's1' };
      const remove = (): void => {
        mirror.forget(session);
        renameSync(folder, `${folder}.removed`);
        if (isTaken) mkdirSync(folder);
      };
      const isAtText = moment === 'text is made';
      const { mirror, folder, lines } = openMirror(isAtText ? () => {} : remove);
      mirror.note(session, isAtText ? whenRead(actingTask(1), remove) : actingTask(1), true, []);
      await mirror.stop();
      expect(existsSync(folder)).toBe(isTaken);
      expect(isTaken ? readdirSync(folder) : []).toEqual([]);
      expect(lines).toEqual([]);
    },
  );
});

it("a session that is removed before its last task's files are written gets none of them", async () => {
  const session = { owner: 'local', session_id: 's1' };
  const { mirror, folder } = openMirror();
  const paused = (task: TaskSnapshot): TaskSnapshot => ({ ...task, state: 'paused' });
  mirror.note(session, actingTask(1), false, []);
  mirror.note(session, paused(actingTask(2)), true, []);
  mirror.forget(session);
  rmSync(folder, { recursive: true, force: true });
  await mirror.stop();
  expect(existsSync(folder)).toBe(false);
});

it('a burst of changes of a running task is one plan.json a second, and a reply waits for one at once', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const session = { owner: 'local', session_id: 's1' };
  let writes = 0;
  const { mirror, folder } = openMirror(() => {
    writes += 1;
  });
  const noted = (iteration_count: number, isAnswering: boolean): void => {
    const { state, context } = actingTask(1);
    const unbegun = { rounds_item_id: null, iteration_count };
    mirror.note(session, { state, context: { ...context, ...unbegun } } as TaskSnapshot, isAnswering, []);
  };
  const written = (): number => JSON.parse(readFileSync(join(folder, 'plan.json'), 'utf8')).iteration_count;
  noted(1, false);
  vi.advanceTimersByTime(249);
  expect(writes).toBe(0);
  vi.advanceTimersByTime(1);
  expect(writes).toBe(1);
  noted(2, false);
  noted(3, false);
  vi.advanceTimersByTime(999);
  expect(mirror.shown(session)).toBe(null);
  expect(writes).toBe(1);
  vi.advanceTimersByTime(1);
  noted(4, false);
  noted(5, true);
  await mirror.shown(session);
  expect(writes).toBe(3);
  expect(written()).toBe(5);
  noted(6, false);
  await mirror.stop();
  expect(written()).toBe(6);
});

it('tasks that follow one another within a second are one MISSION.md, of the last that began an item', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const session = { owner: 'local', session_id: 's1' };
  const { mirror, folder } = openMirror();
  const file = join(folder, 'MISSION.md');
  const noted = (task: number, goal: string, rounds_item_id: string | null): void => {
    const { context } = actingTask(task);
    mirror.note(session, { state: 'paused', context: { ...context, goal, rounds_item_id } } as TaskSnapshot, true, []);
  };
  noted(1, 'First', 'i1');
  vi.advanceTimersByTime(400);
  noted(2, 'Second', 'i1');
  noted(3, 'Third', null);
  vi.advanceTimersByTime(599);
  await mirror.shown(session);
  expect(existsSync(file)).toBe(false);
  vi.advanceTimersByTime(1);
  await expect.poll(() => existsSync(file)).toBe(true);
  expect(readFileSync(file, 'utf8')).toContain('Second');
  noted(4, 'Fourth', 'i1');
  noted(5, 'Fifth', null);
  await mirror.stop();
  expect(readFileSync(file, 'utf8')).toContain('Fourth');
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
