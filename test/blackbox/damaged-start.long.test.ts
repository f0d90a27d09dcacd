import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { openStore } from '../../src/store/sqlite/database.ts';
import { type CliOptions, startCli, temporaryFolder } from '../support/cli/cli-process.ts';

describe('At a start', () => {
  const startOn = (dataDir: string, options: CliOptions = {}) =>
    startCli(['serve', '--port', '0', '--data-dir', dataDir], options).ended;

  it.each([0, 200])('a disk that takes files of %d blocks is one plain line, and nothing is served', async (blocks) => {
    const { code, stdout, stderr } = await startOn(join(temporaryFolder(), 'data'), { fileBlocksMax: blocks });
    expect(code).toBe(1);
    expect(stdout).toBe('');
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('can not be used')]);
  });

  it('a disk that is full beside a database that is there is one plain line, and the database stays as it was', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    openStore({ dataDir }).close();
    const before = readFileSync(join(dataDir, 'tripact.db'));
    const { code, stderr } = await startOn(dataDir, { fileBlocksMax: 8 });
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringContaining('can not be used')]);
    expect(readFileSync(join(dataDir, 'tripact.db')).equals(before)).toBe(true);
  });

  it('a folder that no user may write is one plain line', async () => {
    const { code, stderr } = await startOn('/sys/tripact');
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([
      expect.stringContaining('The data folder /sys/tripact can not be used'),
    ]);
  });

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
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/is damaged or cut off.*restore a backup/)]);
  });

  it('a database that was cut off is one plain line, which says to restore a backup', async () => {
    const dataDir = join(temporaryFolder(), 'data');
    openStore({ dataDir }).close();
    truncateSync(join(dataDir, 'tripact.db'), 40_960);
    const { code, stderr } = await startOn(dataDir);
    expect(code).toBe(1);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(/is damaged or cut off.*restore a backup/)]);
    expect(stderr).not.toContain('make room');
  });
});
