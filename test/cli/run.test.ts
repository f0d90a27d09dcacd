import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { type SessionView, TurnView } from '../../contracts/http.ts';
import { INPUT_BYTES_MAX } from '../../contracts/limits.ts';
import { type RunOptions, run } from '../../src/cli/run.ts';
import { type MessagesServer, startMessagesServer } from '../support/anthropic/server.ts';
import { cli, startCli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { openLocalService } from '../support/cli/local-service.ts';
import { openPipedTerminal } from '../support/cli/piped-terminal.ts';

const offline = { TRIPACT_MODEL: 'offline' };

/** A model whose plan never comes. */
const silentModel = async (): Promise<{ model: MessagesServer; env: Record<string, string> }> => {
  const model = await startMessagesServer({ plan: () => {} });
  onTestFinished(() => model.close());
  return { model, env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url } };
};

/** Runs a command line's `run` in this process, on a service. */
const runOn = async (url: string, goal: string, options: Partial<RunOptions> = {}) => {
  const terminal = openPipedTerminal();
  const code = await run(goal, { url, ...options }, terminal);
  return { code, stdout: terminal.stdout(), stderr: terminal.stderr() };
};

describe('run', () => {
  beforeEach(() => {
    // Nothing of the machine that runs the tests decides which key is shown.
    vi.stubEnv('TRIPACT_API_KEYS', '');
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

  it('ends with 4 where the budget ran out, and continue continues', async () => {
    const url = await openLocalService({ env: { TRIPACT_MAX_STEPS: '3' } });
    const session = 'short';
    const paused = await runOn(url, '添加待办：买牛奶', { session });
    expect(paused.code).toBe(4);
    expect(paused.stderr).toMatch(
      /· 任务 task_\w+，会话 short\n· 继续：tripact run --url \S+ --session short continue/,
    );
    expect(await runOn(url, 'continue', { session })).toMatchObject({ code: 0 });
  });

  it('ends with 1 where the task failed', async () => {
    const url = await openLocalService({ env: { TRIPACT_MAX_STEPS: '2', TRIPACT_MAX_TOTAL_STEPS: '2' } });
    expect(await runOn(url, 'Add milk to my todos')).toMatchObject({ code: 1 });
  });

  it('waits for a yes with --confirm-plan, and prints the finished turn with --json', async () => {
    const options = { json: true, confirmPlan: true, timezone: 'Asia/Tokyo' } as const;
    const { code, stdout } = await runOn(await openLocalService(), 'Add milk to my todos', options);
    expect(code).toBe(3);
    expect(TurnView.parse(JSON.parse(stdout))).toMatchObject({ status: 'asking', task: { state: 'awaiting_user' } });
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  it('refuses what it can not send as wrong usage, and starts no service for it', async () => {
    const refused: [words: string[], says: RegExp][] = [
      [['--session', 'no spaces', 'hello'], /^--session must be 1 to 64 letters, digits, _ or -\n$/],
      [['--timezone', 'Mars/Base', 'hello'], /^--timezone must be an IANA time zone.*\n$/],
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

describe('run with Ctrl-C', () => {
  it('cancels the task', async () => {
    const { model, env } = await silentModel();
    const run = startCli(['run', 'anything'], { env });
    await model.asked(1);
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('· Cancelled') });
  });

  it('leaves at once the second time', async () => {
    const { model, env } = await silentModel();
    // A turn in the queue has no task yet that could be cancelled.
    const serve = await startServe({ env });
    const first = startCli(['run', '--url', serve.url, '--session', 'busy', 'the first'], { env });
    await model.asked(1);
    const second = startCli(['run', '--url', serve.url, '--session', 'busy', 'the second'], { env });
    const busy = async () => (await (await fetch(`${serve.url}/v1/sessions/busy`)).json()) as SessionView;
    await expect.poll(async () => (await busy()).queue).toHaveLength(1);
    second.child.kill('SIGINT');
    await second.says(/Ctrl-C again leaves/);
    second.child.kill('SIGINT');
    expect(await second.ended).toMatchObject({ code: 130 });
    expect(first.child.exitCode).toBeNull();
  });
});

describe('run on a service that runs already', () => {
  it('talks to it by --url or TRIPACT_URL, with TRIPACT_API_KEY or the first of TRIPACT_API_KEYS', async () => {
    const key = 'a-key-of-sixteen-or-more';
    const serve = await startServe({ env: { ...offline, TRIPACT_API_KEYS: `me:${key}` } });
    const words = ['run', '--url', serve.url, '/todo list'];
    const listed = { code: 0, stdout: expect.stringContaining('No todos') };
    expect(await cli(words, { env: { TRIPACT_API_KEYS: `me:${key}` } })).toMatchObject(listed);
    const env = { TRIPACT_URL: `${serve.url}/`, TRIPACT_API_KEY: key };
    expect(await cli(['run', '/todo list'], { env })).toMatchObject(listed);
    expect(await cli(words)).toMatchObject({
      code: 1,
      stderr: `${serve.url} wants a key: set TRIPACT_API_KEY to one that it knows\n`,
    });
    const refused = await cli(words, { env: { TRIPACT_API_KEY: 'another-key-of-sixteen' } });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^http:\S+ does not take the key: .*\n$/) });
  });

  it('says so where nothing answers', async () => {
    const [refused, unknown] = await Promise.all(
      ['http://127.0.0.1:1', 'https://service.invalid'].map((url) => cli(['run', '--url', url, 'hello'])),
    );
    const says = 'Nothing answers at http://127.0.0.1:1; start it with: tripact serve\n';
    expect(refused).toMatchObject({ code: 1, stderr: says });
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^https:\/\/service.invalid can not be found.*\n$/),
    });
  });
});
