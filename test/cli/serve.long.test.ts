import { expect, it } from 'vitest';
import { startServe, temporaryFolder } from '../support/cli/cli-process.ts';

it('serve listens on one address where it is given the name localhost', async () => {
  const { url } = await startServe({ cwd: temporaryFolder(), env: { TRIPACT_HOST: 'localhost' } });
  expect(new URL(url).hostname).toBe('127.0.0.1');
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
});

it('serve shows a model and variables whose names could steer a terminal without what does', async () => {
  const env = {
    TRIPACT_MODEL: 'anthropic:m\u001b[2J\u009b1A',
    ANTHROPIC_BASE_URL: 'http://127.0.0.1:9',
    'TRIPACT_\u001b[2JX\nY': '1',
  };
  const { stdout, stderr } = await startServe({ cwd: temporaryFolder(), env });
  expect(stdout()).toContain('anthropic:m at http://127.0.0.1:9');
  expect(stderr()).toContain('Warning: TRIPACT_X Y is not a setting of Tripact');
  expect(stdout() + stderr()).not.toMatch(/[\u001b\u009b]/);
});
