import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callOf, END, idOf, openBridgeFolder, reportText, startProgram } from './coding-agent-bridge.ts';

const CALLER = 'test/tools/coding-agent-caller.ts';
const LEDGER = '.tripact/a.json';

/** A bridge on which a process sent the command of effect 1 and was killed while it waited. */
const afterKill = async () => {
  const bridge = openBridgeFolder();
  const caller = await startProgram(CALLER, bridge.bridgeDir);
  await expect.poll(() => bridge.read(LEDGER)).toContain(idOf(1));
  const ended = new Promise((resolve) => caller.once('exit', resolve));
  caller.kill('SIGKILL');
  await ended;
  return bridge;
};

describe('after kill -9 in the middle of a wait', () => {
  it('the call waits for the report on the command that was sent, and sends no second one', async () => {
    const { start, files, read, report } = await afterKill();
    const before = read(`commands/pending/task-${idOf(1)}.md`);
    const answered = start().tool.run('Greet the world', callOf(1));
    report(1, reportText('Hello'));
    expect(await answered).toEqual({ ok: true, result: 'SUCCESS\n\nHello' });
    expect(files('commands/processed')).toEqual([`task-${idOf(1)}.md`]);
    expect(read(`commands/processed/task-${idOf(1)}.md`)).toBe(before);
  });

  it('a command that the agent took away is not sent again', async () => {
    const { start, path, report, files } = await afterKill();
    rmSync(path(`commands/pending/task-${idOf(1)}.md`));
    const answered = start().tool.run('Greet the world', callOf(1));
    report(1, reportText('Hello'));
    expect(await answered).toMatchObject({ ok: true });
    expect([...files('commands/pending'), ...files('commands/processed')]).toEqual([]);
  });

  it('a task that was cancelled meanwhile is ended at the next start', async () => {
    const { start, files, read } = await afterKill();
    await start().recover(async (id) => id === 'task_b');
    expect(files('commands/pending')).toEqual([`task-${idOf(1)}.md`]);
    await start().recover(async (id) => id === 'task_a');
    expect(files('commands/pending')).toEqual([`task-${END}.md`]);
    expect(files('commands/processed')).toEqual([`task-${idOf(1)}.md`]);
    expect(read(`commands/pending/task-${END}.md`)).toContain('session_id: auto\ncommand_type: end');
  });
});

describe('after a crash that came when', () => {
  it('the command was written but not yet recorded, there is one command', async () => {
    const { start, path, read, files, report } = await afterKill();
    rmSync(path(LEDGER));
    const before = read(`commands/pending/task-${idOf(1)}.md`);
    const answered = start().tool.run('Greet the universe', callOf(1));
    await expect.poll(() => read(LEDGER)).toContain(idOf(1));
    report(1, reportText('Hello'));
    await answered;
    expect(files('commands/processed')).toEqual([`task-${idOf(1)}.md`]);
    expect(read(`commands/processed/task-${idOf(1)}.md`)).toBe(before);
  });

  it('a time limit was over but not yet committed, it is not waited for again, yet a report since is taken', async () => {
    const { start, report } = openBridgeFolder();
    const late = await start(1).tool.run('Greet', callOf(1));
    expect(late).toMatchObject({ ok: false, result: expect.stringContaining('no report within 1 ms') });
    expect(await start(600_000).tool.run('Greet', callOf(1))).toMatchObject({ ok: false });
    report(1, reportText('Hello'));
    const again = () => start(600_000).tool.run('Greet', callOf(1));
    await expect.poll(again).toEqual({ ok: true, result: 'SUCCESS\n\nHello' });
  });
});

it('an aborted call stops waiting at once and leaves its command, for the service may only be stopping', async () => {
  const { agent, sent, files } = openBridgeFolder();
  const controller = new AbortController();
  const answered = agent.tool.run('Greet', callOf(1, { signal: controller.signal }));
  await sent(1);
  controller.abort(new Error('the service is stopping'));
  await expect(answered).rejects.toThrow('the service is stopping');
  expect(files('commands/pending')).toEqual([`task-${idOf(1)}.md`]);
});

it('a cancelled task withdraws its command and sends nothing more', async () => {
  const { agent, sent, files } = openBridgeFolder();
  const controller = new AbortController();
  const answered = agent.tool.run('Greet', callOf(1, { signal: controller.signal }));
  const cancelled = expect(answered).rejects.toThrow('the task was cancelled');
  await sent(1);
  controller.abort(new Error('the task was cancelled'));
  await agent.taskEnded('task_a');
  await cancelled;
  await expect(agent.tool.run('Greet', callOf(2, { signal: controller.signal }))).rejects.toThrow('cancelled');
  expect(files('commands/pending')).toEqual([`task-${END}.md`]);
});

it('a report on a command of a task that ended is put aside, and no other task takes it', async () => {
  const { agent, sent, report, files } = openBridgeFolder();
  const controller = new AbortController();
  const cancelled = agent.tool.run('Greet', callOf(1, { signal: controller.signal })).catch(() => 'cancelled');
  await sent(1);
  controller.abort();
  await agent.taskEnded('task_a');
  report(1, reportText('of the cancelled task'));
  const other = agent.tool.run('Greet', callOf(1, { task_id: 'task_b' }));
  await sent(1, 'b');
  report(1, reportText('of the other task'), 'b');
  expect(await other).toEqual({ ok: true, result: 'SUCCESS\n\nof the other task' });
  await expect.poll(() => agent.recover(async () => false).then(() => files('reports/pending'))).toEqual([]);
  expect(files('reports/processed')).toEqual([`report-task-${idOf(1)}.md`, `report-task-${idOf(1, 'b')}.md`].sort());
  expect(await cancelled).toBe('cancelled');
});
