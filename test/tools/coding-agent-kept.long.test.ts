import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callOf, endId, idOf, openBridgeFolder, reportText } from './coding-agent-bridge.ts';

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A bridge on which task `a` goes on, and then `b` and `c` were carried out and ended. */
const openUsedBridge = async () => {
  const bridge = openBridgeFolder();
  for (const task of ['a', 'b', 'c']) {
    const answered = bridge.agent.tool.run('Greet', callOf(1, { task_id: `task_${task}` }));
    await bridge.sent(1, task);
    bridge.report(1, reportText('x'.repeat(1_000)), task);
    await answered;
    if (task === 'a') continue;
    await bridge.agent.taskEnded(`task_${task}`);
    rmSync(bridge.path(`commands/pending/task-${endId(`task_${task}`)}.md`));
  }
  const kept = () => ({
    commands: bridge.files('commands/processed'),
    reports: bridge.files('reports/processed'),
    unknown: bridge.files('reports/unknown'),
  });
  return { ...bridge, kept };
};

const namesOf = (...tasks: string[]) => ({
  commands: tasks.map((task) => `task-${idOf(1, task)}.md`).sort(),
  reports: tasks.map((task) => `report-task-${idOf(1, task)}.md`).sort(),
});

const isOpen = async (id: string): Promise<boolean> => id !== 'task_a';

describe('What a coding agent is done with', () => {
  it('goes by when it was put aside, but for that of a task that goes on, and folders stay', async () => {
    const { start, path, kept, files } = await openUsedBridge();
    writeFileSync(path('reports/unknown/stray.md'), 'stray');
    mkdirSync(path('reports/processed/archive'));
    const inDays = (days: number) => ({ days: 30, now: () => Date.now() + days * DAY_MS });
    await start(0, inDays(29)).recover(isOpen);
    expect(kept()).toMatchObject({
      ...namesOf('a', 'b', 'c'),
      reports: expect.arrayContaining(namesOf('a', 'b', 'c').reports),
      unknown: ['stray.md'],
    });
    await start(0, inDays(31)).recover(isOpen);
    expect(kept()).toEqual({ ...namesOf('a'), reports: ['archive', ...namesOf('a').reports], unknown: [] });
    expect(files('.tripact')).toEqual(['a.json']);
  });

  it('the commands of a removed task are ended, those of another service on the folder go on', async () => {
    const { start, sent, report, files } = openBridgeFolder();
    for (const task of ['a', 'b']) {
      const answered = start(60_000, { service: task }).tool.run('Greet', callOf(1, { task_id: `task_${task}` }));
      await sent(1, task);
      report(1, reportText('Hello'), task);
      await answered;
    }
    await start(0, { service: 'b' }).recover(async () => null);
    expect(files('.tripact')).toEqual(['a.json']);
    expect(files('commands/pending')).toEqual([`task-${endId('task_b')}.md`]);
  });
});
