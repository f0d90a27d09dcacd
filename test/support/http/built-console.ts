import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { ConsoleBuild, FindConsole } from '../../../src/http/routes/console.ts';

/** A folder such as a build leaves, with a page and one file; removed when the test ends. */
export const builtConsole = (): ConsoleBuild & { state: 'ready' } => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, 'index.html'), '<!doctype html><title>Tripact</title>');
  mkdirSync(join(folder, 'assets'));
  writeFileSync(join(folder, 'assets/main-abc.js'), 'export {};');
  return { state: 'ready', folder };
};

/** Finds such a folder, always the same. */
export const alwaysBuilt = (): FindConsole => {
  const built = builtConsole();
  return () => built;
};
