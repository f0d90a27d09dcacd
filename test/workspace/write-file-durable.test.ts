import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { writeFileAtomic } from '../../src/workspace/write-file-atomic.ts';
import { freshDataDir } from '../support/engine/sqlite-engine.ts';

it('A file that is to outlive a loss of power is on the disk before it takes its place', async () => {
  const file = join(freshDataDir(), 'ledger.json');
  const steps: string[] = [];
  const note = (step: string) => steps.push(`${step}, ${fs.existsSync(file) ? 'in its place' : 'not in its place'}`);
  const { fsync } = fs;
  vi.spyOn(fs, 'fsync').mockImplementation((handle, done) => {
    note(`fsync of ${fs.fstatSync(handle).size} bytes`);
    fsync(handle, done);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });
  await writeFileAtomic(file, 'text', { isDurable: true });
  note('written');
  expect(steps).toEqual(['fsync of 4 bytes, not in its place', 'written, in its place']);
});
