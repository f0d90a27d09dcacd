import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openDatabase } from '../../src/store/sqlite/open.ts';
import { type CliOptions, startCli, temporaryFolder } from '../support/cli/cli-process.ts';

const DAMAGED = /is damaged or truncated.*restore a backup/;
const UNUSABLE = /cannot be used/;

/** A data folder, and what a start on it says. */
const folders: [what: string, prepare: () => string, says: RegExp, options?: CliOptions][] = [
  ['on a full disk', () => join(temporaryFolder(), 'data'), UNUSABLE, { fileBlocksMax: 0 }],
  ['on a disk that fills up', () => join(temporaryFolder(), 'data'), UNUSABLE, { fileBlocksMax: 200 }],
  ['that no user may write', () => '/sys/tripact', /The data folder \/sys\/tripact cannot be used/],
  [
    'that is a file',
    () => {
      const file = join(temporaryFolder(), 'file');
      writeFileSync(file, 'a file');
      return file;
    },
    UNUSABLE,
  ],
  [
    'whose database is none',
    () => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'tripact.db'), 'no database '.repeat(1_000));
      return folder;
    },
    DAMAGED,
  ],
];

const startOn = (dataDir: string, options: CliOptions = {}) =>
  startCli(['serve', '--port', '0', '--data-dir', dataDir], options).ended;

it.each(folders)(
  'a start on a data folder %s is one plain line, and serves nothing',
  async (_, prepare, says, options) => {
    const { code, stdout, stderr } = await startOn(prepare(), options);
    expect([code, stdout]).toEqual([1, '']);
    expect(stderr.trim().split('\n')).toEqual([expect.stringMatching(says)]);
  },
);

it('a full disk leaves the database as it was', async () => {
  const dataDir = join(temporaryFolder(), 'data');
  openDatabase({ dataDir }).close();
  const before = readFileSync(join(dataDir, 'tripact.db'));
  expect(await startOn(dataDir, { fileBlocksMax: 8 })).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(UNUSABLE),
  });
  expect(readFileSync(join(dataDir, 'tripact.db')).equals(before)).toBe(true);
});
