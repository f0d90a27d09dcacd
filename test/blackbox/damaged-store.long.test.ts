import { closeSync, mkdtempSync, openSync, renameSync, rmSync, symlinkSync, writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { SessionView } from '../../contracts/http.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { buildApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/app/config/config.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Model } from '../../src/models/port.ts';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { asks, plans } from '../support/engine/model-answers.ts';

/** A service, on the offline model by default, in a folder that the test may do anything to. */
const startIn = async (dataDir: string, model?: Model) => {
  const lines: string[] = [];
  const destination = new Writable({
    write(chunk, _encoding, done) {
      lines.push(String(chunk));
      done();
    },
  });
  const app = await buildApp({
    config: loadConfig({ TRIPACT_DATA_DIR: dataDir, TRIPACT_MODEL: 'offline' }),
    log: createLog({ level: 'info', pretty: false, destination }),
    version: '0.0.0',
    ...(model !== undefined && { model }),
  });
  await app.http.listen({ host: '127.0.0.1', port: 0 });
  onTestFinished(() => app.close());
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`;
  const say = (session: string, input: string): Promise<Response> =>
    fetch(`${url}/v1/sessions/${session}/turns`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input }),
    });
  const get = async <Body>(path: string): Promise<Body> => {
    const response = await fetch(url + path);
    expect(response.status).toBe(200);
    return (await response.json()) as Body;
  };
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status;
  return { url, say, get, status, logged: () => lines.join('') };
};

const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-damage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data');
};

describe('While another program has the database locked', () => {
  it('requests are served, and turns are stored once it lets go, or refused with 503 after some seconds', async () => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir);
    await service.say('s1', '/status');
    const other = new Database(join(dataDir, 'tripact.db'));
    onTestFinished(() => void other.close());
    other.exec('BEGIN IMMEDIATE');
    const stored = service.say('s1', '/todo add milk');
    await service.get('/v1/sessions/s1');
    other.exec('COMMIT');
    expect(await (await stored).json()).toMatchObject({ status: 'ran', output: expect.stringContaining('milk') });

    other.exec('BEGIN IMMEDIATE');
    const refused = await service.say('s1', '/todo add bread');
    expect(refused.status).toBe(503);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(await refused.json()).toMatchObject({
      type: '/problems/storage-unavailable',
      detail: expect.stringContaining('Another program has locked the database'),
    });
    expect(await service.status('/readyz')).toBe(503);
    other.exec('COMMIT');
    await expect.poll(() => service.status('/readyz')).toBe(200);
    const list = (await (await service.say('s1', '/todo list')).json()) as TurnView;
    expect(list.output).toContain('milk');
    expect(list.output).not.toContain('bread');
    // One line for all that were refused meanwhile, and none for each.
    for (const line of ['the database can not be written or read', 'request failed'])
      expect(service.logged().split(line)).toHaveLength(line === 'request failed' ? 1 : 2);
  });

  it('a disk on which the files can not be looked at makes requests 503, and closes no service that asks for no key', async () => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir);
    const database = join(dataDir, 'tripact.db');
    await service.say('s1', '/todo add milk');
    renameSync(database, join(dataDir, 'aside'));
    symlinkSync(database, database);
    expect((await service.say('s1', '/todo add tea')).status).toBe(503);
    await expect.poll(() => service.status('/v1/sessions')).toBe(503);
    expect(await service.status('/readyz')).toBe(503);
    renameSync(join(dataDir, 'aside'), database);
    await expect.poll(() => service.status('/readyz')).toBe(200);
    expect((await service.say('s1', '/todo add tea')).status).toBe(200);
  });
});

describe('When the database is taken away while the service runs', () => {
  const takeAway: [string, (dataDir: string) => void][] = [
    ['the whole folder is removed', (dataDir) => rmSync(dataDir, { recursive: true })],
    ['the database is removed', (dataDir) => rmSync(join(dataDir, 'tripact.db'))],
    ['its log is removed', (dataDir) => rmSync(join(dataDir, 'tripact.db-wal'))],
    ["its log's index is removed", (dataDir) => rmSync(join(dataDir, 'tripact.db-shm'))],
    [
      'the database is replaced',
      (dataDir) => {
        renameSync(join(dataDir, 'tripact.db'), join(dataDir, 'other.db'));
        new Database(join(dataDir, 'tripact.db')).exec('CREATE TABLE t (a)').close();
      },
    ],
  ];

  it.each(takeAway)('and %s, nothing is answered with 2xx, it is not ready, and the log says so', async (_, take) => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir);
    expect((await service.say('s1', '/todo add milk')).status).toBe(200);
    take(dataDir);
    expect((await service.say('s1', '/todo add tea')).status).toBe(503);
    expect((await service.say('s2', '/status')).status).toBe(503);
    await expect.poll(() => service.status('/v1/sessions')).toBe(503);
    expect(await service.status('/v1/sessions/s1/trace')).toBe(503);
    expect(await service.status('/readyz')).toBe(503);
    expect(await service.status('/healthz')).toBe(200);
    expect(service.logged()).toContain('was removed or replaced');
  });
});

describe('When a row is damaged', () => {
  it('its session is 503, the lists have the others, and the service is not ready', async () => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir);
    for (const session of ['good', 'bad'])
      expect((await service.say(session, 'Add milk to my todos')).status).toBe(200);
    const other = new Database(join(dataDir, 'tripact.db'));
    onTestFinished(() => void other.close());
    expect(await service.status('/readyz')).toBe(200);
    other.exec(`UPDATE tasks SET view = '{"broken' WHERE session = (SELECT id FROM sessions WHERE session_id = 'bad')`);
    const { sessions } = (await (await fetch(`${service.url}/v1/sessions`)).json()) as { sessions: unknown[] };
    expect(sessions).toHaveLength(2);
    expect(await service.status('/v1/sessions/bad/tasks')).toBe(200);
    const { tasks } = (await (await fetch(`${service.url}/v1/sessions/good/tasks`)).json()) as { tasks: unknown[] };
    expect(tasks).toHaveLength(1);
    expect(await service.status('/readyz')).toBe(503);
    expect(service.logged()).toContain('the database is damaged');
  });

  const damages: [string, string, string][] = [
    ['is cut short', 'reply', '{"broken'],
    ['lacks what it must have', 'reply', '{"output": 1}'],
    ['names no status that there is', 'status', 'lost'],
  ];

  it.each(damages)('and a turn %s, the list of turns has the others', async (_, column, value) => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir);
    const ids: string[] = [];
    for (const input of ['Add milk to my todos', 'Add tea to my todos'])
      ids.push(((await (await service.say('s1', input)).json()) as TurnView).id);
    const other = new Database(join(dataDir, 'tripact.db'));
    onTestFinished(() => void other.close());
    other.prepare(`UPDATE turns SET ${column} = ? WHERE turn_id = ?`).run(value, ids[0]);
    const { turns } = await service.get<{ turns: TurnView[] }>('/v1/sessions/s1/turns');
    expect(turns.find(({ id }) => id === ids[1])?.output).toEqual(expect.any(String));
    expect(turns.find(({ id }) => id === ids[0])?.output ?? null).toBeNull();
    expect(await service.status(`/v1/turns/${ids[0]}`)).toBe(503);
    expect(await service.status('/readyz')).toBe(503);
  });

  it('and a view is another, the list of what waits has the others', async () => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir);
    for (const session of ['good', 'bad']) await service.say(session, 'Schedule a meeting');
    const other = new Database(join(dataDir, 'tripact.db'));
    onTestFinished(() => void other.close());
    other.exec(
      `UPDATE tasks SET view = '{"id": 1}' WHERE session = (SELECT id FROM sessions WHERE session_id = 'bad')`,
    );
    const { tasks } = await service.get<{ tasks: unknown[] }>('/v1/tasks?state=awaiting_user');
    expect(tasks).toMatchObject([{ session_id: 'good' }]);
    expect(await service.status('/readyz')).toBe(503);
  });
});

/** Overwrites pages of the database below the running service, and has it read the file again. */
const damagePages = (dataDir: string, table: string, kind: string): void => {
  const path = join(dataDir, 'tripact.db');
  const other = new Database(path);
  other.pragma('wal_checkpoint(TRUNCATE)');
  const pages = other
    .prepare<[string, string], number>('SELECT pageno FROM dbstat WHERE name = ? AND pagetype = ?')
    .pluck()
    .all(table, kind);
  expect(pages).not.toEqual([]);
  const size = Number(other.pragma('page_size', { simple: true }));
  const file = openSync(path, 'r+');
  for (const page of pages) writeSync(file, Buffer.alloc(size, 0xff), 0, size, (page - 1) * size);
  closeSync(file);
  // A write of another connection makes the service forget the pages that it has in memory.
  other.exec("INSERT OR REPLACE INTO meta (key, value) VALUES ('test', '1')").close();
};

describe('When pages of the database are damaged while it runs', () => {
  it('what is on them is 503, no list fails because of it, and the service is not ready', async () => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir, createScriptedModel({ plan: plans('Think'), thought: asks('Which?') }));
    for (const [session, size] of Object.entries({ good: 1, bad: 10_000 }))
      expect(await (await service.say(session, 'x'.repeat(size))).json()).toMatchObject({ status: 'asking' });
    expect(await service.status('/readyz')).toBe(200);
    damagePages(dataDir, 'tasks', 'overflow');
    const waiting = await service.get<{ tasks: { session_id: string }[] }>('/v1/tasks?state=awaiting_user,paused');
    expect(waiting.tasks).toMatchObject([{ session_id: 'good' }]);
    const { sessions } = await service.get<{ sessions: SessionView[] }>('/v1/sessions');
    expect(sessions.map(({ session_id, phase }) => [session_id, phase])).toEqual([
      ['bad', null],
      ['good', 'blocked'],
    ]);
    expect(await service.status('/readyz')).toBe(503);
    expect(service.logged()).toContain('the database is damaged');
  });
});
