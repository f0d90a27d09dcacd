import { closeSync, mkdtempSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { buildApp } from '../../src/app/app.ts';
import { loadConfig } from '../../src/config/config.ts';
import { createLog } from '../../src/lib/log.ts';
import type { Model } from '../../src/models/port.ts';

/** A service, on the offline model by default, in a folder that the test may do anything to. */
const startIn = async (dataDir: string, model?: Model) => {
  const lines: string[] = [];
  const destination = { write: (line: string) => void lines.push(line) };
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
    for (const line of ['the database cannot be written or read', 'request failed'])
      expect(service.logged().split(line)).toHaveLength(line === 'request failed' ? 1 : 2);
  });
});

describe('When the database is taken away while the service runs', () => {
  const takeAway: [string, (dataDir: string) => void][] = [
    ['the whole folder is removed', (dataDir) => rmSync(dataDir, { recursive: true })],
    ['the database is removed', (dataDir) => rmSync(join(dataDir, 'tripact.db'))],
    ['its log is removed', (dataDir) => rmSync(join(dataDir, 'tripact.db-wal'))],
    [
      'the database is replaced',
      (dataDir) => {
        renameSync(join(dataDir, 'tripact.db'), join(dataDir, 'other.db'));
        new Database(join(dataDir, 'tripact.db')).exec('CREATE TABLE t (a)').close();
      },
    ],
  ];

  it.each(takeAway)(
    'and %s, nothing is answered with 2xx a second later, it is not ready, and the log says so',
    async (_, take) => {
      const dataDir = freshFolder();
      const service = await startIn(dataDir);
      expect((await service.say('s1', '/todo add milk')).status).toBe(200);
      take(dataDir);
      await expect.poll(async () => (await service.say('s1', '/todo add tea')).status).toBe(503);
      expect((await service.say('s2', '/status')).status).toBe(503);
      await expect.poll(() => service.status('/v1/sessions')).toBe(503);
      expect(await service.status('/v1/sessions/s1/trace')).toBe(503);
      expect(await service.status('/readyz')).toBe(503);
      expect(await service.status('/healthz')).toBe(200);
      expect(service.logged()).toContain('was removed or replaced');
    },
  );
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
  it('a whole table that cannot be read is 503, and no request hangs or fails otherwise', async () => {
    const dataDir = freshFolder();
    const service = await startIn(dataDir);
    const turn = (await (await service.say('s1', 'Add milk to my todos')).json()) as TurnView;
    damagePages(dataDir, 'turns', 'leaf');
    for (const path of [`/v1/turns/${turn.id}`, '/v1/sessions/s1/turns', '/readyz'])
      expect(await service.status(path)).toBe(503);
    expect((await service.say('s1', 'Add tea to my todos')).status).toBe(503);
    expect(await service.status('/healthz')).toBe(200);
  });
});
