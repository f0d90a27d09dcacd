import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { MACHINE } from '../../machines/task-machine.ts';
import { replay } from '../../src/history/replay.ts';
import { goldenFile, goldenLines, goldenNames, goldenProse } from '../support/golden/files.ts';

describe.each(goldenNames)('the golden trace %s', (name) => {
  it('replays to its last entry', async () => {
    const lines = goldenLines(name);
    expect(await replay(lines)).toEqual({ ok: true, entries: lines.length, unchained: lines.length });
  });

  it('replays as a whole session without a gap', async () => {
    expect(await replay(goldenLines(name), { gapless: true })).toMatchObject({ ok: true });
  });

  it('reads as the prose beside it, with its progress and its replies', () => {
    expect(goldenProse(name)).toBe(readFileSync(goldenFile(name, 'trace'), 'utf8'));
  });
});

describe('the trace of an earlier machine', () => {
  it.each(['tripact-task@1', 'tripact-task@2'])('%s is refused by the name of its machine', async (actual) => {
    expect(await replay(goldenLines(`released/${actual}`))).toMatchObject({
      ok: false,
      seq: 1,
      expected: MACHINE,
      actual,
    });
  });
});
