import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { expect, it } from 'vitest';
import { replay } from '../../src/history/replay.ts';
import { delayed } from '../support/anthropic/answers.ts';
import { answersByGoal } from '../support/anthropic/answers-by-goal.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';
import { openFrontEnd, startWithFrontEnd } from '../support/front-ends/as-user.ts';
import { databaseOf } from '../support/postgres/database-of.ts';
import { shutGate } from '../support/service/gate.ts';
import { LOCAL_RECEIVER, startReceiver } from '../support/service/receiver.ts';
import { act, answer, ask, done, plan } from '../support/service/service.ts';
import { serveMail } from '../support/sign-in/mail-server.ts';
import { startOAuthServer } from '../support/sign-in/oauth-server.ts';

/** Tables of the process and its nodes, of keys, and of hashes that the audit keeps; none says anything of a front end's user. */
const NOT_OF_USERS = ['meta', 'nodes', 'homes', 'access_keys', 'audit_left', 'audit_versions'];

/** All rows that are stored, by table. */
const rowsIn = async (dataDir: string): Promise<Record<string, unknown[]>> => {
  const url = await databaseOf(dataDir);
  const rows: Record<string, unknown[]> = {};
  const add = (table: string, found: unknown[]): void => {
    if (!NOT_OF_USERS.includes(table)) rows[table] = found.map((row) => JSON.stringify(row)).sort();
  };
  if (url === null) {
    const db = new Database(`${dataDir}/tripact.db`, { readonly: true });
    const sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%'";
    for (const table of db.prepare(sql).pluck().all() as string[])
      add(table, db.prepare(`SELECT * FROM ${table}`).all());
    db.close();
    return rows;
  }
  const client = new pg.Client(url);
  await client.connect();
  const tables = await client.query(
    'SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema()',
  );
  // Files are stored behind a turn, those of a plan more than once.
  const columns = (name: string): string => (name === 'session_files' ? 'owner, session_id, path' : '*');
  for (const { name } of tables.rows) add(name, (await client.query(`SELECT ${columns(name)} FROM ${name}`)).rows);
  await client.end();
  return rows;
};

const NOTE = 'Note the tea';
/** Where browsers would reach the service: its pages take forms from there alone. */
const PUBLIC = 'http://127.0.0.1:1';

const PRICES = { currency: 'USD', models: { m: { input: 3, output: 15 } } };

const WAIT = 'Ask me first';
const LONG = 'Think for long';
const NEXT = 'Then this';

it('a user of a front end is removed with all that is stored of them, and nothing of another', async () => {
  const dataDir = freshDataDir();
  const gate = shutGate();
  const note = [plan('Note it'), act('files', 'write tea.txt green'), done(), answer('Noted.')];
  const script = answersByGoal({
    [NOTE]: [...note, ...note, ...note, ...note, ...note],
    [WAIT]: [plan('Ask'), ask('Now?')],
    [LONG]: [delayed(gate.opened, plan('too late'))],
  });
  const databaseUrl = await databaseOf(dataDir);
  const oauth = await startOAuthServer();
  const mail = await serveMail(oauth);
  const { service, key, asOperator } = await startWithFrontEnd(
    script,
    {},
    {
      TRIPACT_DATA_DIR: dataDir,
      TRIPACT_MODEL: 'anthropic:m',
      ...LOCAL_RECEIVER,
      TRIPACT_WEBHOOK_URL: (await startReceiver()).url,
      ...(databaseUrl !== null && { TRIPACT_DATABASE_URL: databaseUrl }),
      TRIPACT_SECRET_KEY: 'a secret of the operator long enough',
      TRIPACT_SIGN_IN_HOSTS: '127.0.0.1',
      TRIPACT_PUBLIC_URL: PUBLIC,
    },
    { file: { builtinTools: ['files'], mcpServers: { mail: { url: mail.url } }, prices: PRICES } },
  );
  const asUser = async (user: string) => {
    const url = await openFrontEnd(() => service.url, key, user);
    const send = (path: string, body: unknown, method = 'POST') =>
      fetch(url + path, { method, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });
    const say = (session: string, input: string, more = {}) =>
      send(`/v1/sessions/${session}/turns`, { input, ...more });
    return { url, send, say };
  };
  const calls = async (): Promise<number> => (await rowsIn(dataDir))['model_calls']!.length;
  const files = async (): Promise<number> => (await rowsIn(dataDir))['session_files']?.length ?? 0;

  /** Something in each table. */
  const live = async ({ url, send, say }: Awaited<ReturnType<typeof asUser>>): Promise<void> => {
    const [before, filesBefore] = [await calls(), await files()];
    expect(await (await say('s1', NOTE)).json()).toMatchObject({ status: 'answered', output: 'Noted.' });
    await say('s1', '/plan create week --steps "first" "second"');
    await say('s1', '/todo add bread --tag food --due "2031-05-01 18:00" --remind "2031-05-01 09:00"');
    await say('s1', '/schedule add "2031-05-02 18:00" party');
    await say('s1', '/schedule goal "2031-05-03 18:00" Water the plants');
    await say('s1', '/memory add Anna is my sister');
    await send('/v1/chat/completions', { messages: [{ role: 'user', content: NOTE }] });
    await say('gone', '/todo list');
    await fetch(`${url}/v1/sessions/gone`, { method: 'DELETE' });
    const signIn = (await (await send('/v1/sign-ins/mail', {})).json()) as { url: string };
    const { pathname, searchParams } = new URL(signIn.url);
    const headers = { 'content-type': 'application/x-www-form-urlencoded', origin: PUBLIC };
    const begun = await fetch(service.url + pathname, { method: 'POST', headers, body: `${searchParams}` });
    expect(await begun.text()).toContain(oauth.issuer);
    // All are written behind the turns.
    await expect.poll(calls).toBe(before + 8);
    await expect.poll(files).toBe(databaseUrl === null ? 0 : filesBefore + 8);
    await expect.poll(async () => JSON.stringify((await rowsIn(dataDir))['outbox'])).not.toContain('pending');
  };

  const [ada, bob] = [await asUser('ada@example.com'), await asUser('bob')];
  await live(bob);
  await asOperator('/v1/quotas/web~bob', 'PATCH', { turns_per_day: 100 });
  const users = async () => (await (await asOperator('/v1/users')).json()) as { users: { user: string }[] };
  const bobs = { user: 'web~bob', quota: { turns_per_day: 100, tokens_per_day: null }, today: { turns: 2 } };
  expect(await users()).toMatchObject({ users: [bobs], next: null });
  const before = await rowsIn(dataDir);

  await live(ada);
  const adas = expect.stringMatching(/^web~u-[\w-]{43}$/);
  expect(await users()).toMatchObject({ users: [bobs, { user: adas, quota: null, today: { turns: 2 } }] });
  const { user } = (await users()).users[1]!;
  await asOperator(`/v1/quotas/${user}`, 'PATCH', { turns_per_day: 100 });
  await ada.say('s2', WAIT);
  const left = [ada.say('s3', LONG), ada.say('s3', NEXT)];
  const events = await fetch(`${ada.url}/v1/sessions/s1/events`);
  await service.model.asked(4 * 4 + 2 + 1);
  const full = await rowsIn(dataDir);
  // No tool here names approvers; those rows go with their tasks, as the tests of pruning hold.
  for (const [table, rows] of Object.entries(full).filter(([table]) => table !== 'approvals'))
    expect([table, rows.length > before[table]!.length]).toEqual([table, true]);
  const folders = (): string[] =>
    readdirSync(join(dataDir, 'workspace', '.sessions')).filter((name) => !name.startsWith('web~bob~'));
  expect(folders()).not.toEqual([]);

  const remove = (name: string) => asOperator(`/v1/users/${encodeURIComponent(name)}`, 'DELETE');
  expect((await remove('web~ada@example.com')).status).toBe(204);
  for (const response of await Promise.all(left)) expect(response.status).toBe(404);
  await events.text().catch(() => '');
  gate.open();
  expect(await rowsIn(dataDir)).toEqual(before);
  expect(folders()).toEqual([]);
  expect(await users()).toMatchObject({ users: [bobs], next: null });
  for (const name of ['web~ada@example.com', user, 'web', 'web~', 'nobody'])
    expect([name, (await remove(name)).status]).toEqual([name, 404]);
  expect((await fetch(`${bob.url}/v1/users/web~bob`, { method: 'DELETE' })).status).toBe(403);

  // Who comes back begins anew, and so does the service.
  await service.restart();
  expect({ ...(await rowsIn(dataDir)), removed_sessions: before['removed_sessions'] }).toEqual(before);
  expect(await (await ada.say('s1', '/todo add milk')).json()).toMatchObject({ output: expect.stringContaining('#1') });
  expect(await (await bob.say('s1', '/memory list')).json()).toMatchObject({ output: expect.stringContaining('Anna') });
  expect(existsSync(join(dataDir, 'workspace', '.sessions', 'web~bob~s1', 'tea.txt'))).toBe(true);
  const trace = (await (await fetch(`${bob.url}/v1/sessions/s1/trace`)).text()).trim().split('\n');
  expect(
    await replay(
      trace.map((line) => JSON.parse(line)),
      { gapless: true },
    ),
  ).toMatchObject({ ok: true });
});
