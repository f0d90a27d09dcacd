import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { INPUT_BYTES_MAX } from '../../contracts/limits.ts';
import { TurnView } from '../../contracts/turn-view.ts';
import { run } from '../../src/cli/run.ts';
import type { CliOptions } from '../../src/cli/settings.ts';
import type { Terminal } from '../../src/cli/terminal.ts';
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';
import { openLocalService } from '../support/cli/local-service.ts';

const kept = () => {
  const stream = new PassThrough();
  let text = '';
  stream.setEncoding('utf8').on('data', (piece: string) => {
    text += piece;
  });
  return { stream, text: () => text };
};

/** A terminal where nobody is: what a command reads is at its end, and what it writes is kept. */
const openPipedTerminal = (): Terminal & { stdout(): string; stderr(): string } => {
  const [output, notes] = [kept(), kept()];
  const input = new PassThrough();
  input.end();
  return {
    input,
    output: output.stream,
    notes: notes.stream,
    isInteractive: false,
    stdout: output.text,
    stderr: notes.text,
  };
};

const offline = { TRIPACT_MODEL: 'offline' };

/** Runs a command line's `run` in this process, on a service. */
const runOn = async (url: string, goal: string, options: CliOptions = {}) => {
  const terminal = openPipedTerminal();
  const code = await run(goal, { url, ...options }, terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
};

describe('run', () => {
  beforeEach(() => {
    // Nothing of the machine that runs the tests decides which key is shown.
    vi.stubEnv('TRIPACT_API_KEYS', '');
  });

  it('carries out the plan of a file, and names what is wrong with one', async () => {
    const url = await openLocalService();
    const plan = join(temporaryFolder(), 'plan.json');
    writeFileSync(plan, JSON.stringify({ plan: ['Add milk to my todos', 'Add tea to my todos'] }));
    const { code, stdout } = await runOn(url, 'Shop', { plan });
    expect([code, stdout]).toEqual([0, expect.stringMatching(/milk[\s\S]*tea/)]);
    writeFileSync(plan, JSON.stringify([{ id: 'a', step: 'A', depends_on: ['b'] }]));
    await expect(runOn(url, 'Shop', { plan })).rejects.toThrow(/plan.*"b"/);
    writeFileSync(plan, '[]');
    await expect(runOn(url, 'Shop', { plan })).rejects.toThrow(/plan.*at least one item/);
    writeFileSync(plan, 'steps');
    await expect(runOn(url, 'Shop', { plan })).rejects.toThrow(/--plan .*cannot be read as JSON/);
  });

  it('prints the answer on standard output and progress on standard error', async () => {
    const { code, stdout, stderr } = await cli(['run', 'Add milk to my todos'], { env: offline });
    expect(code).toBe(0);
    expect(stdout).toContain('Added #1 milk');
    expect(stderr).toContain('· Action: todo -> add "milk"\n· Result: ok');
    expect(stdout).not.toContain('Action:');
    expect(stderr).not.toContain('\u001b');
    expect(stderr).toMatch(/\n· Task task_\w+, session run-[0-9a-f]{10}\n$/);
  });

  it('works with the agent that --agent names, and says which there are', async () => {
    const cwd = temporaryFolder();
    writeFileSync(join(cwd, 'tripact.config.ts'), 'export default { agents: { desk: {}, ops: {} } };');
    const run = (...words: string[]) => cli(['run', ...words], { cwd, env: offline });
    expect(await run('--agent', 'ops', '--session', 's1', 'Add milk to my todos')).toMatchObject({ code: 0 });
    expect((await run('--session', 's1', '/agents')).stdout).toContain('ops (works in this session)');
    const unknown = await run('--agent', 'sales', 'Add milk to my todos');
    expect(unknown).toMatchObject({ code: 2, stderr: expect.stringContaining('the agents are desk, ops') });
  });

  it('ends with 3 where the task asks, says how to answer, and takes the answer', async () => {
    const url = await openLocalService();
    const session = 'anna';
    const asked = await runOn(url, 'Schedule a meeting with Anna', { session });
    expect(asked).toMatchObject({ code: 3, stdout: 'Please confirm: When is “meeting with Anna”?\n' });
    expect(asked.stderr.replaceAll(` --url ${url}`, '')).toMatch(
      /Task task_\w+, session anna\n· Answer with: tripact run --session anna "<answer>" \(or talk: tripact chat --session anna\)\n$/,
    );
    const status = await runOn(url, '/status', { session });
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('Waits for an answer') });
    expect(status.stderr).toBe('· Session anna\n');
    const answered = await runOn(url, 'tomorrow at 10am', { session });
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('meeting with Anna') });
  });

  it('waits for a yes with --confirm-plan, and prints the finished turn with --json', async () => {
    const options = { json: true, confirmPlan: true, timezone: 'Asia/Tokyo' } as const;
    const { code, stdout } = await runOn(await openLocalService(), 'Add milk to my todos', options);
    expect(code).toBe(3);
    expect(TurnView.parse(JSON.parse(stdout))).toMatchObject({ status: 'asking', task: { state: 'awaiting_user' } });
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  it('looks first with --look-first, and then waits for a yes', async () => {
    const options = { lookFirst: true, session: 'look' } as const;
    const url = await openLocalService();
    expect(await runOn(url, 'Add milk to my todos', options)).toMatchObject({ code: 3 });
    const trace = await (await fetch(`${url}/v1/sessions/look/trace`)).text();
    expect(trace).toContain('"confirm_plan":"after_looking"');
  });

  it('ends with 1 where a slash command failed, and with 0 where it did what it says', async () => {
    const service = await openLocalService();
    expect(await runOn(service, '/todo done 99')).toMatchObject({ code: 1, stdout: expect.stringContaining('99') });
    expect(await runOn(service, '/todo add milk')).toMatchObject({ code: 0 });
  });

  it('refuses what it cannot send as wrong usage, and starts no service for it', async () => {
    const refused: [words: string[], says: RegExp][] = [
      [['--session', 'no spaces', 'hello'], /^--session must be 1 to 64 letters, digits, _ or -\n$/],
      [['--timezone', 'Mars/Base', 'hello'], /^--timezone must be an IANA time zone.*\n$/],
      [['--expires-in', 'soon', 'hello'], /^--expires-in .*number.*\n$/],
      [[' '], /^The input must not be blank\n$/],
      [['x'.repeat(INPUT_BYTES_MAX + 1)], /^The input must be at most \d+ bytes of UTF-8\n$/],
      [['--url', 'ftp://x', 'hello'], /^--url ftp:\/\/x is not an http or https address\n$/],
      [['--url', 'http://127.0.0.1:1', '--data-dir', 'x', 'hello'], /cannot be used with option/],
    ];
    const cwd = temporaryFolder();
    const ended = await Promise.all(refused.map(([words]) => cli(['run', ...words], { cwd, env: offline })));
    expect(ended.map(({ code, stdout, stderr }) => ({ code, stdout, stderr }))).toEqual(
      refused.map(([, says]) => ({ code: 2, stdout: '', stderr: expect.stringMatching(says) })),
    );
    expect(existsSync(join(cwd, 'data'))).toBe(false);
  });
});
