import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { traceAsTest } from '../../src/testing/testing.ts';
import { goldenLines } from '../support/golden/files.ts';
import { hostileTrace } from '../support/printed-test/hostile-trace.ts';

describe('A trace printed as a test', () => {
  it('is named after its goal, one entry a line, and hides nothing from who reads it', () => {
    const entries = hostileTrace();
    const printed = traceAsTest(entries);
    expect(printed.split('\n').filter((line) => line.startsWith('  {'))).toHaveLength(entries.length);
    expect(printed).toMatch(/^it\("replays: `\$\{process/m);
    expect(printed).not.toMatch(/\p{Cf}|\u2028/u);
    expect(traceAsTest(goldenLines('ask-and-answer') as unknown as TraceEntry[])).toMatch(/^it\("replays: \S/m);
  });
});
