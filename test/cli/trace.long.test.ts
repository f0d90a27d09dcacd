import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, startCli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

const say = async (url: string, input: string, key?: string): Promise<{ id: string; task_id: string }> => {
  const headers = { 'content-type': 'application/json', ...(key !== undefined && { authorization: `Bearer ${key}` }) };
  const response = await fetch(`${url}/v1/sessions/me/turns`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ input }),
  });
  return (await response.json()) as { id: string; task_id: string };
};

describe('trace', () => {
  it('shows a session and a task as prose', async () => {
    const cwd = temporaryFolder();
    const { url } = await startServe({ cwd });
    const { task_id } = await say(url, 'Add milk to my todos');
    await say(url, 'Add bread to my todos');
    const session = await cli(['trace', 'me'], { cwd });
    expect(session.code).toBe(0);
    expect(session.stdout).toMatch(
      /^1 task.opened task_\w+ "Add milk to my todos" by local \(http\) → model.plan \(planning, step 0\)$/m,
    );
    expect(session.stdout).toContain('"Add bread to my todos"');
    const task = await cli(['trace', task_id], { cwd });
    expect(session.stdout).toContain(task.stdout);
    expect(task.stdout).not.toContain('bread');
  });

  it('shows what a user thought of a reply behind the entries; the file replays, and a rerun says it', async () => {
    const cwd = temporaryFolder();
    const { url } = await startServe({ cwd });
    const { id, task_id } = await say(url, 'Add milk to my todos');
    const rated = await fetch(`${url}/v1/turns/${id}/feedback`, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ rating: 'down', note: 'I have milk' }),
    });
    expect(rated.status).toBe(200);
    const prose = await cli(['trace', 'me'], { cwd });
    expect(prose.stdout.trimEnd().split('\n').at(-1)).toBe(`${id} rated down "I have milk"`);
    const json = await cli(['trace', task_id, '--format', 'json'], { cwd });
    writeFileSync(join(cwd, 'milk.ndjson'), json.stdout);
    expect(JSON.parse(json.stdout.trimEnd().split('\n').at(-1)!)).toMatchObject({ feedback: { note: 'I have milk' } });
    expect(await cli(['replay', 'milk.ndjson'], { cwd })).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^ok/),
    });
    const rerun = await cli(['rerun', 'milk.ndjson'], { cwd });
    expect(rerun.stdout).toContain('a recorded reply was rated down: "I have milk"');
    expect((await cli(['trace', task_id, '--as-test'], { cwd })).stdout).not.toContain('I have milk');
  });

  it('follows a task to its end', async () => {
    const cwd = temporaryFolder();
    const { url } = await startServe({ cwd });
    const { task_id } = await say(url, 'Schedule a meeting with Anna');
    const trace = startCli(['trace', task_id, '--follow'], { cwd });
    await trace.says(/awaiting_user/);
    await say(url, '/status');
    await say(url, 'tomorrow at 10am');
    const { code, stdout } = await trace.ended;
    expect(code).toBe(0);
    expect(stdout).toBe((await cli(['trace', task_id], { cwd })).stdout);
    expect(stdout).toMatch(/\(done, step \d+\)\n$/);
  });
});

describe('fork', () => {
  it('goes on from an entry of a task, and says where to find a task by its session', async () => {
    const cwd = temporaryFolder();
    const { url } = await startServe({ cwd });
    const { task_id } = await say(url, 'Schedule a meeting with Anna');
    expect(await cli(['fork', 'me'], { cwd })).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('There is no task "me": "tripact tasks --session <id>" lists those of a session'),
    });
    const forked = await cli(['fork', task_id, '--at', '3', '--input', 'tomorrow at 3pm'], { cwd });
    expect(forked).toMatchObject({ code: 0, stdout: expect.stringContaining('15:00') });
  });
});
