import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { replaceText, writeFileWhole } from '../../src/workspace/write-file.ts';
import { freshDataDir } from '../support/engine/open-engine.ts';

const ways = {
  'at once': async (file: string) => writeFileWhole(file, 'text'),
  aside: (file: string) => replaceText(file, () => 'text'),
};

describe.each(Object.entries(ways))('A file that is written whole, %s,', (_, write) => {
  it('has the text and mode 0600, also where an older one was open to others', async () => {
    const folder = freshDataDir();
    const file = join(folder, 'plan.json');
    writeFileSync(file, 'an older and longer text');
    chmodSync(file, 0o666);
    await write(file);
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
      await write(join(folder, name));
      expect(readFileSync(join(folder, name), 'utf8')).toBe('text');
    }
    expect(readFileSync(secret, 'utf8')).toBe('untouched');
    expect(readdirSync(folder).sort()).toEqual(['MISSION.md', 'plan.json', 'secret']);
  });

  it('leaves nothing behind where it cannot be put in place', async () => {
    const folder = freshDataDir();
    mkdirSync(join(folder, 'plan.json', 'in-the-way'), { recursive: true });
    await expect(write(join(folder, 'plan.json'))).rejects.toThrow();
    expect(readdirSync(folder)).toEqual(['plan.json']);
  });
});
