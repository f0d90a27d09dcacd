import { existsSync, writeFileSync } from 'node:fs';
import { formatEntry } from '../../../src/engine/replay/format.ts';
import { goldenFile } from './files.ts';
import { goldenNames, playGolden } from './scripts.ts';

/**
 * Records the golden traces that are not there yet: `node test/support/golden/record.ts`. A released one is kept for ever: it never
 * overwrites a file; a new behaviour gets a new script.
 */
for (const name of goldenNames) {
  if (existsSync(goldenFile(name, 'jsonl'))) continue;
  const { lines } = playGolden(name);
  writeFileSync(goldenFile(name, 'jsonl'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  writeFileSync(goldenFile(name, 'trace'), lines.map((line) => `${formatEntry(line)}\n`).join(''));
}
