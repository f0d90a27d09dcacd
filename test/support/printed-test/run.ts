import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Runs a printed test with vitest, in a process and a folder of its own, and gives what it reports. */
export const runPrinted = async (source: string): Promise<{ passed: number; failed: number; said: string }> => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-printed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name: string): string => join(folder, name);
  const alias = { 'tripact/testing': join(ROOT, 'src', 'testing', 'testing.ts') };
  writeFileSync(inFolder('printed.test.ts'), source);
  writeFileSync(inFolder('vitest.config.mjs'), `export default ${JSON.stringify({ resolve: { alias } })};`);
  symlinkSync(join(ROOT, 'node_modules'), inFolder('node_modules'));
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const words = [vitest, 'run', '--reporter=json', `--outputFile=${inFolder('report.json')}`];
  // A failing test ends the process with 1; what there is to know is in the report.
  await promisify(execFile)(process.execPath, words, { cwd: folder }).catch(() => {});
  const report = JSON.parse(readFileSync(inFolder('report.json'), 'utf8'));
  return { passed: report.numPassedTests, failed: report.numFailedTests, said: JSON.stringify(report.testResults) };
};
