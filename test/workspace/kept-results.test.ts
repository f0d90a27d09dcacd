import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { keepResult, readKeptResult } from '../../src/workspace/kept-results.ts';
import { temporaryFolder } from '../support/cli/cli-process.ts';

describe('results kept of a task', () => {
  it('are read by the number of their action, and are no other task’s', () => {
    const root = temporaryFolder();
    keepResult(root, 'task_a', '7', 'seven');
    keepResult(root, 'task_a', '7.1', 'beside');
    keepResult(root, 'task_a', '7', 'seven again');
    expect(['7', '7.1', '8', '../task_a/7', '7.txt'].map((id) => readKeptResult(root, 'task_a', id))).toEqual([
      ...['seven again', 'beside', null, null, null],
    ]);
    expect(readKeptResult(root, 'task_b', '7')).toBe(null);
  });

  it('are 16 MiB together at most: the oldest go', () => {
    const root = temporaryFolder();
    const long = 'x'.repeat(1_000_000);
    for (let id = 1; id <= 20; id += 1) keepResult(root, 'task_a', String(id), long);
    const left = Array.from({ length: 20 }, (_, i) => i + 1).filter(
      (id) => readKeptResult(root, 'task_a', String(id)) !== null,
    );
    expect(left).toEqual(Array.from({ length: 16 }, (_, i) => i + 5));
  });

  it('never leave the folder by a link in it', () => {
    const [root, outside] = [temporaryFolder(), temporaryFolder()];
    symlinkSync(outside, join(root, '.files.results'));
    mkdirSync(join(outside, 'task_a'));
    writeFileSync(join(outside, 'task_a', '7.txt'), 'secret');
    expect(() => keepResult(root, 'task_a', '7', 'long')).toThrow();
    expect(() => readKeptResult(root, 'task_a', '7')).toThrow();
  });
});
