import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The path of a golden trace: `.jsonl` is what replays, `.trace` is the same as prose, for reviewers. */
export const goldenFile = (name: string, form: 'jsonl' | 'trace'): string =>
  fileURLToPath(new URL(`../../traces/${name}.${form}`, import.meta.url));

/** The entries of a golden trace, fresh at each call so that a test may tamper with them. */
export const goldenLines = (name: string): Record<string, unknown>[] =>
  readFileSync(goldenFile(name, 'jsonl'), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
