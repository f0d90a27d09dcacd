import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdirSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createScriptedModel } from '../../src/models/scripted.ts';
import { type OpenDatabase, type OpenOptions, openDatabase, VERSION } from '../../src/store/sqlite/open.ts';
import { straight } from '../support/engine/model-answers.ts';
import { freshDataDir, openEngine } from '../support/engine/open-engine.ts';
import { sessionOf } from '../support/engine/test-session.ts';

const PROGRAM = `
  import { openDatabase } from ${JSON.stringify(new URL('../../src/store/sqlite/open.ts', import.meta.url).href)};
  const [dataDir, lockWaitMs] = process.argv.slice(1);
  console.log('begun');
  try {
    openDatabase({ dataDir, ...(lockWaitMs !== undefined && { lockWaitMs: Number(lockWaitMs) }) });
    console.log('opened');
    setInterval(() => {}, 60_000);
  } catch (error) {
    console.log(error.code + ': ' + error.message);
  }
`;

/** Another process that opens the store of a data folder, and keeps it locked until it is killed; it says `begun`, then `opened` or the error. */
const startSecondProcess = (dataDir: string, lockWaitMs?: number) => {
  const given = lockWaitMs === undefined ? [dataDir] : [dataDir, String(lockWaitMs)];
  const child = spawn(process.execPath, ['--input-type=module', '--eval', PROGRAM, ...given], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    child,
    says: async (): Promise<string> => String((await lines.next()).value),
    kill: async (): Promise<void> => {
      child.kill('SIGKILL');
      await exited;
    },
  };
};

/** Longer than a test may take, in milliseconds: a lock that is waited for so long is waited for as long as it is held. */
const WAIT_LONG_MS = 25_000;

const open = (options: OpenOptions): OpenDatabase => {
  const store = openDatabase(options);
  onTestFinished(() => {
    if (store.db.open) store.close();
  });
  return store;
};

const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

describe('The store', () => {
  it('is in WAL mode with synchronous FULL and foreign keys on, when it is first opened and every time after', () => {
    const dataDir = freshDataDir();
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      const { db, close } = open({ dataDir });
      const settings = ['journal_mode', 'synchronous', 'foreign_keys'].map((name) => db.pragma(name, { simple: true }));
      expect(settings).toEqual(['wal', 2, 1]);
      close();
    }
  });

  it('and its folder can be read by its own user alone, whatever the umask and the folder’s mode were', async () => {
    const dataDir = join(freshDataDir(), 'data');
    mkdirSync(dataDir);
    chmodSync(dataDir, 0o777);
    const umask = process.umask(0);
    onTestFinished(() => void process.umask(umask));
    const { engine } = await openEngine({ model: createScriptedModel(straight('Hi')), dataDir });
    await sessionOf(engine).ask('Hello');
    const files = readdirSync(dataDir).filter((name) => statSync(join(dataDir, name)).isFile());
    expect(files).toEqual(expect.arrayContaining(['tripact.db', 'tripact.db-wal', 'tripact.db-shm', 'tripact.lock']));
    expect(files.map((name) => modeOf(join(dataDir, name)))).toEqual(files.map(() => '600'));
    expect(modeOf(dataDir)).toBe('700');
    expect(process.umask()).toBe(0);
  });

  it('of a newer version is refused by name, each time, and left as it is', () => {
    const dataDir = freshDataDir();
    open({ dataDir }).close();
    const raw = new Database(join(dataDir, 'tripact.db'));
    raw.pragma(`user_version = ${VERSION + 1}`);
    raw.close();
    for (let attempt = 1; attempt <= 2; attempt += 1)
      expect(() => openDatabase({ dataDir, lockWaitMs: 0 })).toThrow(
        expect.objectContaining({
          code: 'STORE_TOO_NEW',
          message: expect.stringContaining(`version ${VERSION + 1}; this Tripact supports versions up to ${VERSION}`),
        }),
      );
    const after = new Database(join(dataDir, 'tripact.db'), { readonly: true });
    expect(after.pragma('user_version', { simple: true })).toBe(VERSION + 1);
    after.close();
  });
});

describe('The lock of a data folder', () => {
  it('keeps a second process out, which says what to do', async () => {
    const dataDir = freshDataDir();
    const { db } = open({ dataDir });
    const second = startSecondProcess(dataDir, 0);
    onTestFinished(second.kill);
    expect(await second.says()).toBe('begun');
    expect(await second.says()).toBe(
      'DATA_DIR_LOCKED: Another process uses this data folder; stop it, or set TRIPACT_DATA_DIR to another folder',
    );
    expect(db.open).toBe(true);
  });

  it('is waited for, and taken when the first process lets it go', async () => {
    const dataDir = freshDataDir();
    const { close } = open({ dataDir });
    const second = startSecondProcess(dataDir, WAIT_LONG_MS);
    onTestFinished(second.kill);
    expect(await second.says()).toBe('begun');
    close();
    expect(await second.says()).toBe('opened');
    expect(() => openDatabase({ dataDir, lockWaitMs: 0 })).toThrow(
      expect.objectContaining({ code: 'DATA_DIR_LOCKED' }),
    );
  });
});
