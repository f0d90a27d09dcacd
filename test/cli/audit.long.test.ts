import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

const say = (url: string, input: string): Promise<Response> =>
  fetch(`${url}/v1/sessions/me/turns`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ input }),
  });

it('audit prints the acts beside a service; its verify passes with their traces, and names what was changed', async () => {
  const cwd = temporaryFolder();
  const { url } = await startServe({ cwd });
  await say(url, 'Add milk to my todos');
  const files = { audit: join(cwd, 'audit.ndjson'), trace: join(cwd, 'me.ndjson'), other: join(cwd, 'other.ndjson') };
  const { code, stdout } = await cli(['audit'], { cwd });
  expect(code).toBe(0);
  expect(stdout).toContain('"act":"versions"');
  expect(stdout).toMatch(/"act":"called".*"tool":"todo"/);
  expect(stdout).not.toContain('milk');
  writeFileSync(files.audit, stdout);
  const trace = await cli(['trace', 'me', '--format', 'json'], { cwd });
  writeFileSync(files.trace, trace.stdout);
  const last = JSON.parse(trace.stdout.trim().split('\n').at(-1)!);
  const verified = await cli(['audit', 'verify', files.audit, '--traces', files.trace], { cwd });
  expect(verified).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^ok 1 days, \d+ acts, [4-9] of them in the traces\n$/),
  });
  expect(await cli(['replay', files.trace, '--root', last.chain], { cwd })).toMatchObject({ code: 0 });
  expect(await cli(['replay', files.trace, '--root', '0'.repeat(64)], { cwd })).toMatchObject({ code: 1 });

  writeFileSync(files.other, readFileSync(files.audit, 'utf8').replace('"ok":true', '"ok":false'));
  const line = stdout.split('\n').findIndex((each) => each.includes('"ok":true')) + 1;
  expect(await cli(['audit', 'verify', files.other], { cwd })).toMatchObject({
    code: 1,
    stderr: `line ${line}: the act is not the one that its hash is of\n`,
  });
  const noRoot = await cli(['audit', 'verify', files.audit, '--root', '0'.repeat(64)], { cwd });
  expect(noRoot).toMatchObject({ code: 1, stderr: expect.stringContaining('no day has the root') });
  expect(await cli(['audit', '--from', 'yesterday'], { cwd })).toMatchObject({ code: 2 });
  expect(await cli(['audit', 'verify', 'nowhere.ndjson'], { cwd })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('no file'),
  });
});
