import { expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

it('serve refuses to start on a data folder that another service uses, in one message that names it', async () => {
  const cwd = temporaryFolder();
  const { child, url } = await startServe({ cwd });
  const { code, stderr } = await cli(['serve', '--port', '0'], { cwd });
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^Another process uses this data folder/),
  });
  expect(stderr).toContain(`(tripact serve, process ${child.pid}, at ${url})`);
  expect(stderr).not.toMatch(/^\s+at /m);
});

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

it('serve shows the address of its model without the query, in which a key may stand', async () => {
  const env = { TRIPACT_MODEL: 'anthropic:m', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9/v1?key=secret-of-the-query' };
  const { stdout, stderr } = await startServe({ cwd: temporaryFolder(), env });
  expect(stdout()).toContain('anthropic:m at http://127.0.0.1:9/v1\n');
  expect(stdout() + stderr()).not.toContain('secret-of-the-query');
});
