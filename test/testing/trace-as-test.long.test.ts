import { expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { traceAsTest } from '../../src/testing/testing.ts';
import { goldenLines } from '../support/golden/files.ts';
import { hostileTrace } from '../support/printed-test/hostile-trace.ts';
import { runPrinted } from '../support/printed-test/run.ts';

it('A trace printed as a test is named after its goal, one entry a line, hides nothing from who reads it, passes as it is, whatever the trace contains, and fails once the trace is not what the machine makes of its events', async () => {
  const entries = goldenLines('ask-and-answer') as unknown as TraceEntry[];
  const printed = traceAsTest(hostileTrace());
  expect(printed.split('\n').filter((line) => line.startsWith('  {'))).toHaveLength(hostileTrace().length);
  expect(printed).toMatch(/^it\("replays: `\$\{process/m);
  expect(printed).not.toMatch(/\p{Cf}|\u2028/u);
  const changed = entries.map((entry, i) => (i === 4 ? ({ ...entry, step_count: 99 } as TraceEntry) : entry));
  expect(await runPrinted([printed, traceAsTest(changed)])).toMatchObject([
    { passed: 1, failed: 0 },
    { passed: 0, failed: 1, said: expect.stringContaining('seq 5: step_count') },
  ]);
});
