import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { onTestFinished } from 'vitest';
import type { FindConsole } from '../../../src/http/routes/console.ts';

/** The page of that folder. */
export const PAGE =
  '<!doctype html><title>Tripact</title><script type="module" src="/console/assets/main-abc.js"></script>';

/** Finds a folder like a build's, with a page and one file; removed after the test. */
export const builtConsole = (): FindConsole => {
  const folder = mkdtempSync(join(tmpdir(), 'tripact-console-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  mkdirSync(join(folder, 'assets'));
  for (const [file, text] of Object.entries({ 'index.html': PAGE, 'assets/main-abc.js': 'export {};' })) {
    writeFileSync(join(folder, `${file}.gz`), gzipSync(text));
    writeFileSync(join(folder, `${file}.br`), brotliCompressSync(text));
  }
  return async () => folder;
};
