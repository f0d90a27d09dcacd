import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeFileWhole } from '../../src/workspace/write-file.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

describe('A file that is written whole', () => {
  it('has the text and mode 0600, also where an older one was open to others', async () => {
    const folder = freshDataDir();
    const file = join(folder, 'plan.json');
    writeFileSync(file, 'an older and longer text');
    chmodSync(file, 0o666);
    writeFileWhole(file, 'text');
    expect(readFileSync(file, 'utf8')).toBe('text');
    expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
    expect(readdirSync(folder)).toEqual(['plan.json']);
  });

  it('is written where a crash left a half one, or somebody a link in its place', async () => {
    const folder = freshDataDir();
    const secret = join(folder, 'secret');
    writeFileSync(secret, 'untouched');
    writeFileSync(join(folder, '.plan.json.tmp'), 'ha');
    symlinkSync(secret, join(folder, '.MISSION.md.tmp'));
    for (const name of ['plan.json', 'MISSION.md']) {
      writeFileWhole(join(folder, name), 'text');
      expect(readFileSync(join(folder, name), 'utf8')).toBe('text');
    }
    expect(readFileSync(secret, 'utf8')).toBe('untouched');
    expect(readdirSync(folder).sort()).toEqual(['MISSION.md', 'plan.json', 'secret']);
  });

  it('leaves nothing behind where it can not be put in place', async () => {
    const folder = freshDataDir();
    mkdirSync(join(folder, 'plan.json', 'in-the-way'), { recursive: true });
    expect(() => writeFileWhole(join(folder, 'plan.json'), 'text')).toThrow();
    expect(readdirSync(folder)).toEqual(['plan.json']);
  });
});
