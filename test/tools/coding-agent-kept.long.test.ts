import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { endId } from '../../src/tools/coding-agent/command-file.ts';
import { callOf, idOf, openBridgeFolder, reportText } from './coding-agent-bridge.ts';

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
    rmSync(bridge.path(`commands/pending/task-${endId(`task_${task}`, 1)}.md`));
  }
  const kept = () => ({
    commands: bridge.files('commands/processed'),
    reports: bridge.files('reports/processed'),
    unknown: bridge.files('reports/unknown'),
    ended: bridge.files('.tripact/ended'),
  });
  return { ...bridge, kept };
};

const namesOf = (...tasks: string[]) => ({
  commands: tasks.map((task) => `task-${idOf(1, task)}.md`).sort(),
  reports: tasks.map((task) => `report-task-${idOf(1, task)}.md`).sort(),
});

const isOpen = async (id: string): Promise<boolean> => id !== 'task_a';

it('has commands of so many tasks at most that have not ended, and of another once one has', async () => {
  const { start, files } = await openUsedBridge();
  const agent = start(0, { tasksMax: 2 });
  const send = (task: string) => agent.tool.run('Greet', callOf(1, { task_id: `task_${task}` }));
  expect(await send('d')).toMatchObject({ ok: false, result: expect.stringContaining('report') });
  await expect(send('e')).rejects.toThrow('2 tasks with commands for the coding agent have not ended');
  expect(await send('d')).toMatchObject({ ok: false });
  await agent.taskEnded('task_a');
  await send('e');
  expect(files('.tripact')).toEqual(['d.json', 'e.json', 'ended']);
});

describe('What a coding agent is done with', () => {
  it('goes the oldest first beyond the limit of files, but for what a task that goes on may read', async () => {
    const { start, kept } = await openUsedBridge();
    await start(0, { files: 3 }).recover(isOpen);
    expect(kept()).toEqual({ ...namesOf('a', 'c'), unknown: [], ended: ['c.json'] });
    await start(0, { files: 0 }).recover(isOpen);
    expect(kept()).toEqual({ ...namesOf('a'), unknown: [], ended: [] });
  });

  it('goes the oldest first beyond the limit of bytes', async () => {
    const { start, kept } = await openUsedBridge();
    await start(0, { bytes: 2_000 }).recover(isOpen);
    expect(kept()).toEqual({ ...namesOf('a', 'c'), unknown: [], ended: ['b.json', 'c.json'] });
  });

  it('goes with the sessions of its age, by when it was put aside, and folders stay', async () => {
    const { start, path, kept } = await openUsedBridge();
    writeFileSync(path('reports/unknown/stray.md'), 'stray');
    mkdirSync(path('reports/processed/archive'));
    const inDays = (days: number) => ({ days: 30, now: () => Date.now() + days * DAY_MS });
    await start(0, inDays(29)).recover(isOpen);
    expect(kept()).toMatchObject({ unknown: ['stray.md'], ended: ['b.json', 'c.json'] });
    await start(0, inDays(31)).recover(isOpen);
    const { commands, reports } = namesOf('a');
    expect(kept()).toEqual({ commands, reports: ['archive', ...reports], unknown: [], ended: [] });
  });

  it('goes while the service runs too, once many files were put aside', async () => {
    const { start, path, files } = openBridgeFolder();
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    const agent = start(0, { files: 10 });
    onTestFinished(() => void vi.useRealTimers());
    await agent.recover(async () => false);
    for (const folder of ['.tripact', 'reports', 'reports/pending']) mkdirSync(path(folder), { recursive: true });
    for (let i = 0; i < 1_001; i += 1) writeFileSync(path(`reports/pending/report-task-stray-${i}.md`), '');
    const afterTenSeconds = (): string[] => {
      vi.advanceTimersByTime(10_000);
      return [...files('reports/pending'), ...files('reports/unknown')];
    };
    // The last of them may come just after the others were cleared.
    await vi.waitFor(() => expect(afterTenSeconds().length).toBeLessThanOrEqual(11), { timeout: 10_000 });
  });

  it('a name that is taken however often costs no more looks', async () => {
    const { start, path, files } = openBridgeFolder();
    for (const folder of ['.tripact', 'reports/pending', 'reports/unknown'])
      mkdirSync(path(folder), { recursive: true });
    const taken = ['stray.md', ...Array.from({ length: 150 }, (_, i) => `stray.${i + 2}.md`)];
    for (const name of taken) writeFileSync(path(`reports/unknown/${name}`), '');
    writeFileSync(path('reports/pending/stray.md'), 'new');
    utimesSync(path('reports/pending/stray.md'), 0, 0);
    await start().recover(async () => false);
    expect(files('reports/pending')).toEqual([]);
    expect(files('reports/unknown').filter((name) => !taken.includes(name))).toEqual([
      expect.stringMatching(/^stray\.[0-9a-f-]{36}\.md$/),
    ]);
  });

  it('a folder in the place of a report stays where it is, for nothing bounds what is in it', async () => {
    const { start, path, files } = openBridgeFolder();
    for (const folder of ['.tripact', 'reports/pending/folder.md']) mkdirSync(path(folder), { recursive: true });
    writeFileSync(path('reports/pending/stray.md'), 'stray');
    for (const name of ['folder.md', 'stray.md']) utimesSync(path(`reports/pending/${name}`), 0, 0);
    await start().recover(async () => false);
    expect(files('reports/pending')).toEqual(['folder.md']);
    expect(files('reports/unknown')).toEqual(['stray.md']);
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
    expect([files('.tripact'), files('.tripact/ended')]).toEqual([['a.json', 'ended'], ['b.json']]);
    expect(files('commands/pending')).toEqual([`task-${endId('task_b', 1)}.md`]);
  });
});
