import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { onTestFinished } from 'vitest';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** Vitest's report of one printed test. */
export interface PrintedResult {
  passed: number;
  failed: number;
  said: string;
}

interface FileReport {
  name: string;
  assertionResults: { status: string }[];
}

/** Runs printed tests with vitest, in their own process and folder, and returns its report of each. */
export const runPrinted = async (sources: readonly string[]): Promise<PrintedResult[]> => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-printed-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const inFolder = (name: string): string => join(folder, name);
  const config = {
    resolve: { alias: { 'tripact/testing': join(ROOT, 'src', 'testing', 'testing.ts') } },
    test: { isolate: false, maxWorkers: 1 },
  };
  const names = sources.map((_, i) => `printed-${i}.test.ts`);
  for (const [i, source] of sources.entries()) writeFileSync(inFolder(names[i]!), source);
  writeFileSync(inFolder('vitest.config.mjs'), `export default ${JSON.stringify(config)};`);
  symlinkSync(join(ROOT, 'node_modules'), inFolder('node_modules'));
  const vitest = join(ROOT, 'node_modules', 'vitest', 'vitest.mjs');
  const words = [vitest, 'run', '--reporter=json', `--outputFile=${inFolder('report.json')}`];
  // A failing test ends the process with 1; the report has the details.
  await promisify(execFile)(process.execPath, words, { cwd: folder }).catch(() => {});
  const { testResults }: { testResults: FileReport[] } = JSON.parse(readFileSync(inFolder('report.json'), 'utf8'));
  return names.map((name) => {
    const file = testResults.find((each) => each.name.endsWith(name));
    const count = (status: string): number =>
      file?.assertionResults.filter((each) => each.status === status).length ?? 0;
    return { passed: count('passed'), failed: count('failed'), said: JSON.stringify(file) };
  });
};
