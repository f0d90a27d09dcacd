import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';

const sessionsAs = (url: string, key?: string): Promise<Response> =>
  fetch(`${url}/v1/sessions`, key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } });

describe('keys', () => {
  it('open and close a service that runs beside the command, at once', async () => {
    const cwd = temporaryFolder();
    const { url } = await startServe({ cwd });
    expect((await sessionsAs(url)).status).toBe(200);
    const words = ['--role', 'operator', '--expires', '90d', '--turns-per-day', '7'];
    const added = await cli(['keys', 'add', 'ada', ...words], { cwd });
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^tripact_[\w-]{32}\n$/) });
    expect(added.stderr).toMatch(/^Key key_\w{12} of ada \(operator\), until \d{4}-\S+Z\.\n[\s\S]*It is the first key/);
    const key = added.stdout.trim();
    expect((await sessionsAs(url)).status).toBe(401);
    expect((await sessionsAs(url, key)).status).toBe(200);
    const { stdout } = await cli(['keys', 'list'], { cwd });
    expect(stdout).toMatch(
      /^key_\w{12} {2}ada {2}operator {2}made \S+Z {2}until \S+Z {2}last used \S+Z {2}0 of 7 turns, 0 tokens today\n$/,
    );
    const quota = await cli(['keys', 'quota', 'ada', '--turns-per-day', 'none', '--tokens-per-day', '1000'], { cwd });
    expect(quota.stdout).toBe('ada: unlimited turns and 1000 tokens a day (UTC)\n');
    const unpriced = await cli(['keys', 'quota', 'ada', '--cost-per-day', '2.50'], { cwd });
    expect(unpriced).toMatchObject({ code: 1, stderr: expect.stringContaining('needs "prices"') });
    expect(await cli(['keys', 'quota', 'ada', '--cost-per-day', 'much'], { cwd })).toMatchObject({ code: 2 });
    const usage = await fetch(`${url}/v1/usage`, { headers: { authorization: `Bearer ${key}` } });
    expect(await usage.json()).toMatchObject({ quota: { turns_per_day: null, tokens_left: 1_000 } });
    const [id = ''] = stdout.split(' ');
    expect(await cli(['keys', 'revoke', id], { cwd })).toMatchObject({ code: 0, stderr: `Key ${id} is revoked\n` });
    expect((await sessionsAs(url, key)).status).toBe(401);
    expect((await sessionsAs(url)).status).toBe(401);
    expect(await cli(['keys', 'revoke', id], { cwd })).toMatchObject({ code: 1 });
  });

  it('may have an amount of money a day, in the currency of the prices', async () => {
    const cwd = temporaryFolder();
    writeFileSync(
      join(cwd, 'tripact.config.ts'),
      "export default { prices: { currency: 'EUR', models: { m: { input: 1, output: 1 } } } };",
    );
    const quota = await cli(['keys', 'quota', 'ada', '--cost-per-day', '2.50'], { cwd });
    expect(quota.stdout).toBe('ada: unlimited turns, unlimited tokens and 2.50 EUR a day (UTC)\n');
    await cli(['keys', 'add', 'ada'], { cwd });
    expect((await cli(['keys', 'list'], { cwd })).stdout).toContain('0 turns, 0 tokens, 0 of 2.50 spent today');
  });

  it('beside tokens of an issuer say that nothing changes for those', async () => {
    const env = { TRIPACT_JWT_ISSUER: 'https://issuer.example', TRIPACT_JWT_AUDIENCE: 'tripact' };
    const { stderr } = await cli(['keys', 'add', 'ada'], { env });
    expect(stderr).toContain('or a token of https://issuer.example as before');
    expect(stderr).not.toContain('It is the first key');
  });

  it('are made before the first start, and leave the commands of whoever has the folder as they were', async () => {
    const cwd = temporaryFolder();
    const env = { TRIPACT_MODEL: 'offline' };
    const { stdout } = await cli(['keys', 'add', 'ada', '--json'], { cwd });
    expect(JSON.parse(stdout)).toMatchObject({ owner: 'ada', role: 'user', expires_at: null });
    expect(await cli(['run', '/todo add milk'], { cwd, env })).toMatchObject({ code: 0 });
    const { url } = await startServe({ cwd, env: { TRIPACT_HOST: '0.0.0.0' } });
    expect((await sessionsAs(url)).status).toBe(401);
  });
});
