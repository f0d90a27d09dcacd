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
