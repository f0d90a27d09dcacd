import { expect, it } from 'vitest';
import { cli, startServe, temporaryFolder } from '../support/cli/cli-process.ts';
import { freshDatabase } from '../support/postgres/database-of.ts';

it('the commands of an operator work on the database, beside a service and without one', async () => {
  const url = (await freshDatabase()).replace('tripact@', 'tripact:secret-of-the-database@');
  const cwd = temporaryFolder();
  const env = { TRIPACT_DATABASE_URL: url, TRIPACT_MODEL: 'offline' };
  const run = async (...words: string[]) => {
    const { code, stdout, stderr } = await cli(words, { cwd, env });
    expect(stdout + stderr).not.toContain('secret-of-the-database');
    return { code, stdout, stderr };
  };

  expect((await run('config')).stdout).toContain('TRIPACT_DATABASE_URL');
  expect(await run('run', '--session', 's1', 'Add milk to my todos')).toMatchObject({ code: 0 });
  expect((await run('sessions')).stdout).toContain('s1');
  const added = await run('keys', 'add', 'ada');
  expect(added.stderr).toContain('It is the first key');

  const serve = await startServe({ cwd, env });
  expect(serve.stdout()).not.toContain('secret-of-the-database');
  const ask = (key: string) => fetch(`${serve.url}/v1/sessions`, { headers: { authorization: `Bearer ${key}` } });
  expect((await ask('none')).status).toBe(401);
  expect((await ask(added.stdout.trim())).status).toBe(200);
  const [id = ''] = (await run('keys', 'list')).stdout.split(' ');
  expect(await run('keys', 'revoke', id)).toMatchObject({ code: 0 });
  expect((await ask(added.stdout.trim())).status).toBe(401);
  expect((await run('prune', '--older-than', '1h', '--dry-run')).stderr).toContain('Sessions that would be removed: 0');
  expect((await run('prune', '--older-than', '1h')).stderr).toContain('A service runs on this data folder');
  expect((await run('backup', 'copy.db')).stderr).toContain('pg_dump');
});
