import { cpSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { cli, temporaryFolder } from '../support/cli/cli-process.ts';
import { CHAT_API } from '../support/openai/answers.ts';
import { answer, done, plan } from '../support/service/service.ts';

const KEY = 'sk-not-to-be-seen-0003';

const startChatServer = async () => {
  const server = await startMessagesServer({ plan: plan(), thought: done(), replan: answer('hello there') }, CHAT_API);
  onTestFinished(() => server.close());
  return server;
};

it('an openai-compatible model answers, and its key is seen by its server alone', async () => {
  const server = await startChatServer();
  const { code, stdout, stderr } = await cli(['run', 'hi'], {
    env: {
      TRIPACT_MODEL: 'openai-compatible:some-model',
      TRIPACT_OPENAI_BASE_URL: `${server.url}/v1`,
      OPENAI_API_KEY: KEY,
      TRIPACT_LOG_LEVEL: 'trace',
    },
  });
  expect(stdout).toContain('hello there');
  expect(code).toBe(0);
  expect(server.requests[0]?.headers.authorization).toBe(`Bearer ${KEY}`);
  expect(stdout + stderr).not.toContain(KEY);
});

it('a model made in the configuration file answers, unless TRIPACT_MODEL says otherwise', async () => {
  const server = await startChatServer();
  const cwd = temporaryFolder();
  symlinkSync(resolve('node_modules'), join(cwd, 'node_modules'));
  writeFileSync(
    join(cwd, 'tripact.config.ts'),
    `import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
     import { aiSdkModel } from 'tripact/ai-sdk';
     const acme = createOpenAICompatible({ name: 'acme', baseURL: '${server.url}/v1' });
     export default { model: aiSdkModel(acme('large')) };`,
  );
  expect(await cli(['run', 'hi'], { cwd })).toMatchObject({ code: 0, stdout: expect.stringContaining('hello there') });
  const asked = server.requests.length;
  await cli(['run', 'hi'], { cwd, env: { TRIPACT_MODEL: 'offline' } });
  expect(server.requests).toHaveLength(asked);
});

/** A copy of the program beside every package but those of the AI SDK. */
const withoutAiSdk = (): string => {
  const folder = temporaryFolder();
  for (const part of ['src', 'contracts', 'machines', 'package.json'])
    cpSync(part, join(folder, part), { recursive: true });
  mkdirSync(join(folder, 'node_modules'));
  for (const name of readdirSync('node_modules'))
    if (name !== 'ai' && name !== '@ai-sdk')
      symlinkSync(resolve('node_modules', name), join(folder, 'node_modules', name));
  return join(folder, 'src/main.mjs');
};

it('without the optional packages everything else works, and the start names the one command that installs them', async () => {
  const main = withoutAiSdk();
  const server = await startChatServer();
  expect(await cli(['run', 'add milk to my todos'], { main, env: { TRIPACT_MODEL: 'offline' } })).toMatchObject({
    code: 0,
  });
  const env = { TRIPACT_MODEL: 'openai-compatible:m', TRIPACT_OPENAI_BASE_URL: `${server.url}/v1` };
  const { code, stderr } = await cli(['run', 'hi'], { main, env });
  expect(code).toBe(2);
  expect(stderr).toMatch(/^ *TRIPACT_MODEL="openai-compatible:m": .* npm install @ai-sdk\/openai-compatible$/m);
  const openai = await cli(['run', 'hi'], { main, env: { OPENAI_API_KEY: KEY } });
  expect(openai.code).toBe(2);
  expect(openai.stderr).toContain('npm install @ai-sdk/openai\n');
});
