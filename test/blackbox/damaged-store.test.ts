import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { loadConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine/sqlite/database.ts';
import { createLog } from '../../src/log.ts';
import { startCli, temporaryFolder } from '../support/cli/cli-process.ts';

/** A service on the offline model in a folder that the test may do anything to. */
const startIn = async (dataDir: string) => {
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
  const status = async (path: string): Promise<number> => (await fetch(url + path)).status;
  return { url, say, status, logged: () => lines.join('') };
};

const freshFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-damage-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 'data');
};

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

  it('a second process does not take the folder that was made again', async () => {
    const dataDir = freshFolder();
    await startIn(dataDir);
    rmSync(dataDir, { recursive: true });
    mkdirSync(dataDir);
    expect(() => openStore({ dataDir, lockWaitMs: 0 })).toThrow(expect.objectContaining({ code: 'DATA_DIR_LOCKED' }));
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
});

describe('At a start', () => {
  const startOn = (dataDir: string) => startCli(['serve', '--port', '0', '--data-dir', dataDir], {}).ended;

  it('a data folder that is a file is one plain line', async () => {
    const folder = temporaryFolder();
    new Database(join(folder, 'file')).exec('CREATE TABLE t (a)').close();
    const { code, stderr } = await startOn(join(folder, 'file'));
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('can not be used')]);
  });

  it('a database that is none is one plain line', async () => {
    const folder = temporaryFolder();
    const lock = join(folder, 'tripact.db');
    writeFileSync(lock, 'no database '.repeat(1_000));
    const { code, stderr } = await startOn(folder);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('can not be used')]);
  });
});
