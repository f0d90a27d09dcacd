import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { startMessagesServer } from '../support/anthropic/server.ts';
import { startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { act, answer, done, plan } from '../support/service/service.ts';

const CONFIG = `
  import { defineConfig, defineTool } from 'tripact';
  import { z } from 'zod';
  const careless = defineTool({
    name: 'careless',
    description: 'Leaves things behind.',
    input: z.string(),
    writes: false,
    run: async () => {
      void Promise.reject(new Error('a stray rejection'));
      setTimeout(() => { throw new Error('a throw in a timer'); }, 1);
      return 'done';
    },
  });
  export default defineConfig({ tools: [careless] });
`;

it('a rejection and a throw that a tool leaves behind are logged with its name, and the service continues', async () => {
  const model = await startMessagesServer([plan('Do it'), act('careless', 'x'), done('done'), answer('All done.')]);
  onTestFinished(() => model.close());
  const cwd = temporaryFolder();
  writeFileSync(join(cwd, 'tripact.config.ts'), CONFIG);
  const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: model.url };
  const serve = await startServe({ cwd, env });
  const turn = fetch(`${serve.url}/v1/sessions/s1/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"input":"Do it"}',
  });
  const logged = (message: string) => serve.says(new RegExp(`^(?=.*"tool":"careless")(?=.*${message}).*$`, 'm'));
  await Promise.all([logged('a stray rejection'), logged('a throw in a timer')]);
  expect(await (await turn).json()).toMatchObject({ status: 'answered', output: 'All done.' });
  expect((await fetch(`${serve.url}/healthz`)).status).toBe(200);
});
