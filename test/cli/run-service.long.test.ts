import { describe, expect, it, onTestFinished } from 'vitest';
import { type MessagesServer, startMessagesServer } from '../support/anthropic/server.ts';
import { cli, startCli, startServe } from '../support/cli/cli-process.ts';

const offline = { TRIPACT_MODEL: 'offline' };

/** A model whose plan never comes. */
const silentModel = async (): Promise<{ model: MessagesServer; env: Record<string, string> }> => {
  const model = await startMessagesServer({ plan: () => {} });
  onTestFinished(() => model.close());
  return { model, env: { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url } };
};

describe('run with Ctrl-C', () => {
  it('cancels the task', async () => {
    const { model, env } = await silentModel();
    const run = startCli(['run', 'anything'], { env });
    await model.asked(1);
    run.child.kill('SIGINT');
    expect(await run.ended).toMatchObject({ code: 1, stderr: expect.stringContaining('· Cancelled') });
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
      stderr: `${serve.url} requires a key: set TRIPACT_API_KEY to a valid one\n`,
    });
    const refused = await cli(words, { env: { TRIPACT_API_KEY: 'another-key-of-sixteen' } });
    expect(refused).toMatchObject({ code: 1, stderr: expect.stringMatching(/^http:\S+ refuses the key: .*\n$/) });
  });

  it('says so where nothing answers', async () => {
    const [refused, unknown] = await Promise.all(
      ['http://127.0.0.1:1', 'https://service.invalid'].map((url) => cli(['run', '--url', url, 'hello'])),
    );
    const says = 'Nothing answers at http://127.0.0.1:1; start it with: tripact serve\n';
    expect(refused).toMatchObject({ code: 1, stderr: says });
    expect(unknown).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^https:\/\/service.invalid cannot be found.*\n$/),
    });
  });
});
