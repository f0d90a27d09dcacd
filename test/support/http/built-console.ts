import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { FindConsole } from '../../../src/http/routes/console.ts';

/** Finds a folder such as a build leaves, with a page and one file; removed when the test ends. */
export const builtConsole = (): FindConsole => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tripact</title>');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/main-abc.js'), 'export {};');
  return async () => folder;
};
