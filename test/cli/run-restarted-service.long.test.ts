import { expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { startCli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

it.each([
  { at: 'an address', words: (url: string) => ['--url', url], port: (url: string) => new URL(url).port },
  { at: 'a data folder, also at another port', words: () => [], port: () => '0' },
])('run on $at goes on with the same turn after its service was killed and came back', async ({ words, port }) => {
  const model = await startMessagesServer({ plan: () => {} });
  onTestFinished(() => model.close());
  const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url };
  const cwd = temporaryFolder();
  const killed = await startServe({ cwd, env });
  const run = startCli(['run', ...words(killed.url), '--session', 'once', 'Add milk to my todos'], { cwd });
  await model.asked(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { url } = await startServe({ cwd, env: { TRIPACT_PORT: port(killed.url) } });
  expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Added #1 milk') });
  const response = await fetch(`${url}/v1/sessions/once/tasks`);
  expect(await response.json()).toMatchObject({ tasks: [{ state: 'done' }] });
});
