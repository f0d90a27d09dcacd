import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeFolder } from '../src/lib/make-folder.ts';
import { freshDataDir } from './support/engine/sqlite-engine.ts';

/** Far above what a process takes to start, in milliseconds. */
const RUN_MS_MAX = 20_000;

describe('a folder', () => {
  it('is made with those above it, for this user alone, and may be there already', () => {
    const root = freshDataDir();
    const path = join(root, 'a', 'b', 'c');
    makeFolder(path);
    makeFolder(path);
    expect(statSync(path).mode & 0o777).toBe(0o700);
  });

  it('may be a link to one, and is nothing else', () => {
    const root = freshDataDir();
    mkdirSync(join(root, 'real'));
    writeFileSync(join(root, 'file'), '');
    for (const [to, name] of [
      ['real', 'link'],
      ['nothing', 'broken'],
      ['loop', 'loop'],
    ])
      symlinkSync(to!, join(root, name!));
    makeFolder(join(root, 'link', 'inner'));
    expect(existsSync(join(root, 'real', 'inner'))).toBe(true);
    for (const path of ['file', 'file/a', 'broken', 'loop'])
      expect(() => makeFolder(join(root, path)), path).toThrow(/EEXIST|ENOTDIR|ELOOP/);
  });

  it.skipIf(!existsSync('/proc/self'))('of data that can not be made refuses a start in one line', () => {
    const database = new URL('../src/store/sqlite/database.ts', import.meta.url).href;
    const program = `const { openStore } = await import(${JSON.stringify(database)});
      try { openStore({ dataDir: '/proc/nope/data' }); } catch (error) { console.log(error.code, error.message); }`;
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program], {
      timeout: RUN_MS_MAX,
      encoding: 'utf8',
    });
    expect(stdout).toMatch(/^STORAGE_UNAVAILABLE The data folder \/proc\/nope\/data can not be used \(ENOENT.*\n$/);
  });
});
