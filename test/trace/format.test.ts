import { describe, expect, it } from 'vitest';
import { formatEntry } from '../../src/history/format.ts';
import { traceOf } from '../support/golden/moments.ts';
import { openTask } from '../support/machine/task-driver.ts';

describe('a trace entry as prose', () => {
  it('stays one short line without control characters, whatever was said', () => {
    const [opened] = traceOf(openTask({ goal: `Look\n\u001b[31mhere ${'🙂'.repeat(1_000)}` }));
    const line = formatEntry(opened!);
    expect(line).toMatch(/^1 task\.opened task_1 "Look here 🙂/u);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line.length).toBeLessThan(200);
  });
});
