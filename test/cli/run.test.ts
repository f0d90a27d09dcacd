import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { type SessionView, TurnView } from '../../contracts/http.ts';
import { INPUT_BYTES_MAX } from '../../contracts/limits.ts';
import { type MessagesServer, startMessagesServer } from '../support/anthropic/server.ts';
import { cli, startCli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

const offline = { TRIPACT_MODEL: 'offline' };

/** A model whose plan never comes. */
const silentModel = async (): Promise<{ model: MessagesServer; env: Record<string, string> }> => {
  const model = await startMessagesServer({ plan: () => {} });
  onTestFinished(() => model.close());
  return { model, env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url } };
};

describe('run', () => {
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
    const options = { cwd: temporaryFolder(), env: offline };
    const asked = await cli(['run', '--session', 'anna', 'Schedule a meeting with Anna'], options);
    expect(asked).toMatchObject({ code: 3, stdout: 'Please confirm: When is “meeting with Anna”?\n' });
    expect(asked.stderr).toMatch(
      /Task task_\w+, session anna\n· Answer with: tripact run --session anna "<answer>" \(or talk: tripact chat --session anna\)\n$/,
    );
    const status = await cli(['run', '--session', 'anna', '/status'], options);
    expect(status).toMatchObject({ code: 0, stdout: expect.stringContaining('Waits for an answer') });
    const answered = await cli(['run', '--session', 'anna', 'tomorrow at 10am'], options);
    expect(answered).toMatchObject({ code: 0, stdout: expect.stringContaining('meeting with Anna') });
  });

  it('ends with 4 where the budget ran out, and continue continues', async () => {
    const options = { cwd: temporaryFolder(), env: { ...offline, TRIPACT_MAX_STEPS: '3' } };
    const paused = await cli(['run', '--session', 'short', 'Add milk to my todos'], options);
    expect(paused).toMatchObject({
      code: 4,
      stderr: expect.stringContaining('Go on with: tripact run --session short continue'),
    });
    expect(await cli(['run', '--session', 'short', 'continue'], options)).toMatchObject({ code: 0 });
  });

  it('ends with 1 where the task failed', async () => {
    const env = { ...offline, TRIPACT_MAX_STEPS: '2', TRIPACT_MAX_TOTAL_STEPS: '2' };
    expect(await cli(['run', 'Add milk to my todos'], { env })).toMatchObject({ code: 1 });
  });

  it('waits for a yes with --confirm-plan, and prints the finished turn with --json', async () => {
    const words = ['run', '--json', '--confirm-plan', '--timezone', 'Asia/Tokyo', 'Add milk to my todos'];
    const { code, stdout } = await cli(words, { env: offline });
    expect(code).toBe(3);
    expect(TurnView.parse(JSON.parse(stdout))).toMatchObject({ status: 'asking', task: { state: 'awaiting_user' } });
    expect(stdout.trimEnd()).not.toContain('\n');
  });

  it.each([
    { words: ['--session', 'no spaces', 'hello'], says: '--session must be 1 to 64 letters, digits, _ or -' },
    { words: ['--timezone', 'Mars/Base', 'hello'], says: '--timezone must be an IANA time zone' },
    { words: [' '], says: 'The input must not be blank\n' },
    { words: ['x'.repeat(INPUT_BYTES_MAX + 1)], says: 'The input must be at most' },
    { words: ['--url', 'ftp://x', 'hello'], says: '--url ftp://x is not an http or https address' },
  ])('refuses $words as wrong usage', async ({ words, says }) => {
    const cwd = temporaryFolder();
    expect(await cli(['run', ...words], { cwd, env: offline })).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(new RegExp(`^${says}`)),
    });
    // No service was started for it.
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

  it.each([
    { url: 'http://127.0.0.1:1', says: 'Nothing answers at http://127.0.0.1:1; start it with: tripact serve\n' },
    { url: 'https://service.invalid', says: expect.stringMatching(/^https:\/\/service.invalid can not be found.*\n$/) },
  ])('says so where nothing answers at $url', async ({ url, says }) => {
    const { code, stderr } = await cli(['run', '--url', url, 'hello']);
    expect({ code, stderr }).toEqual({ code: 1, stderr: says });
  });
});
