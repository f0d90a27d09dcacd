import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { traceAsTest } from '../../src/testing/testing.ts';
import { goldenLines } from '../support/golden/files.ts';
import { goldenSession } from '../support/golden/session.ts';
import { runPrinted } from '../support/printed-test/run.ts';

/** A trace whose goal and tool result try to break out of the text they are quoted in. */
const hostile = (): TraceEntry[] => {
  const session = goldenSession('s1');
  const task = session.openTask(`\`\${process.exit(9)}\` '); throw new Error("out"); // \u2028 \u202e */ \\`);
  task.model('{"status":"planned","plan":["Look"]}');
  task.model('{"status":"continue","current_step":"x","next_action":{"tool":"internet_search","input":"x"}}');
  task.tool("'];\nprocess.exit(8);//\u202e");
  return session.lines;
};

describe('A trace printed as a test', () => {
  it('passes as it is, whatever the trace contains, and fails once the trace is not what the machine makes of its events', async () => {
    const entries = goldenLines('ask-and-answer') as unknown as TraceEntry[];
    const changed = entries.map((entry, i) => (i === 4 ? ({ ...entry, step_count: 99 } as TraceEntry) : entry));
    expect(await runPrinted([traceAsTest(hostile()), traceAsTest(changed)])).toMatchObject([
      { passed: 1, failed: 0 },
      { passed: 0, failed: 1, said: expect.stringContaining('seq 5: step_count') },
    ]);
  });

  it('is named after its goal, one entry a line, and hides nothing from who reads it', () => {
    const entries = hostile();
    const printed = traceAsTest(entries);
    expect(printed.split('\n').filter((line) => line.startsWith('  {'))).toHaveLength(entries.length);
    expect(printed).toMatch(/^it\("replays: `\$\{process/m);
    expect(printed).not.toMatch(/\p{Cf}|\u2028/u);
    expect(traceAsTest(goldenLines('ask-and-answer') as unknown as TraceEntry[])).toMatch(/^it\("replays: \S/m);
  });
});
