import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SessionView, WaitingTask } from '../../contracts/http.ts';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { offlineTurns } from '../support/service/offline-turns.ts';

const KEY = 'a-key-of-sixteen-or-more';

/** A folder with a task that asks, one that is done, and a text that would move a terminal's cursor. */
const folder = async (): Promise<{ cwd: string; taskId: string }> => {
  const cwd = temporaryFolder();
  const inputs = {
    anna: 'Schedule a meeting with Anna',
    milk: 'Add milk to my todos',
    steer: 'Schedule a meeting with \u202eBob\u001b[2J',
  };
  const [turn] = await offlineTurns(join(cwd, 'data'), inputs);
  return { cwd, taskId: turn?.task_id ?? '' };
};

describe('sessions and tasks', () => {
  it('list what a folder has and what waits there', async () => {
    const { cwd, taskId } = await folder();
    const stored = await cli(['sessions'], { cwd });
    expect(stored).toMatchObject({ code: 0, stderr: '' });
    const [titles, ...rows] = stored.stdout.trimEnd().split('\n');
    expect(titles).toMatch(/^SESSION +STATE +LAST USED +WAITS FOR$/);
    expect(rows).toEqual([
      expect.stringMatching(/^steer +awaiting_user +\d{4}-\d\d-\d\d \d\d:\d\d +When is “meeting with Bob”\?$/),
      expect.stringMatching(/^milk +idle +\S+ \S+$/),
      expect.stringMatching(/^anna +awaiting_user .* When is “meeting with Anna”\?$/),
    ]);
    const waiting = await cli(['tasks'], { cwd });
    expect(waiting).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('tripact run --session <session> "<answer>"'),
    });
    expect(waiting.stdout).toMatch(new RegExp(`\\nanna +${taskId} +awaiting_user +\\S+ \\S+ +When is .*\\nsteer `));
    expect(waiting.stdout).not.toContain('milk');
    expect((await cli(['tasks', '--session', 'milk'], { cwd })).stdout).toMatch(/\ntask_\w+ +done +4 of 60 +Add milk/);
  });

  it('give a line of JSON for each, by page', async () => {
    const { cwd } = await folder();
    const first = await cli(['sessions', '--json', '--limit', '2'], { cwd });
    const lines = first.stdout.trimEnd().split('\n');
    expect(lines.map((line) => SessionView.parse(JSON.parse(line)).session_id)).toEqual(['steer', 'milk']);
    expect(first.stdout).not.toMatch(/[\u001b\u202e]/);
    const [, next = ''] = /--cursor (\S+)/.exec(first.stderr) ?? [];
    const second = await cli(['sessions', '--json', '--cursor', next], { cwd });
    expect(JSON.parse(second.stdout)).toMatchObject({ session_id: 'anna' });
    expect(second.stderr).toBe('');
    const waiting = await cli(['tasks', '--json', '--state', 'awaiting_user', '--limit', '1'], { cwd });
    expect(WaitingTask.parse(JSON.parse(waiting.stdout))).toMatchObject({ session_id: 'anna' });
    expect(await cli(['tasks', '--state', 'paused'], { cwd })).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '· Nothing waits\n',
    });
  });
});

describe('cancel', () => {
  it('ends a task by its id and what a session works on by its name, with a service and without', async () => {
    const { cwd, taskId } = await folder();
    const env = { TRIPACT_MODEL: 'offline' };
    const alone = await cli(['cancel', taskId], { cwd, env });
    expect(alone).toMatchObject({ code: 0, stdout: 'Cancelled: Schedule a meeting with Anna\n' });
    const { url } = await startServe({ cwd, env: { TRIPACT_API_KEYS: `local:${KEY}` } });
    const keyed = { cwd, env: { TRIPACT_API_KEY: KEY } };
    expect(await cli(['cancel', 'steer'], keyed)).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Cancelled: /),
    });
    expect(await cli(['cancel', 'milk', '--url', url], keyed)).toMatchObject({
      code: 1,
      stdout: 'There is no task to cancel.\n',
    });
    expect(await cli(['cancel', taskId], keyed)).toMatchObject({ code: 1, stderr: 'The task is cancelled already\n' });
    expect(await cli(['cancel', 'no such'], keyed)).toMatchObject({
      code: 1,
      stderr: 'There is no task and no session "no such"\n',
    });
  });
});
