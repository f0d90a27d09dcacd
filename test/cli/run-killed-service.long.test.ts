import { expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { startCli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

it('run --url continues with the same turn after the service was killed and started again', async () => {
  const model = await startMessagesServer({ plan: () => {} });
  onTestFinished(() => model.close());
  const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url };
  const cwd = temporaryFolder();
  const killed = await startServe({ cwd, env });
  const run = startCli(['run', '--url', killed.url, '--session', 'once', 'Add milk to my todos']);
  await model.asked(1);
  killed.child.kill('SIGKILL');
  await killed.ended;
  const { url } = await startServe({ cwd, env: { TRIPACT_PORT: new URL(killed.url).port } });
  expect(await run.ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Added #1 milk') });
  const response = await fetch(`${url}/v1/sessions/once/tasks`);
  expect(await response.json()).toMatchObject({ tasks: [{ state: 'done' }] });
});
