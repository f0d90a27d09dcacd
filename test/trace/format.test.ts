import { describe, expect, it } from 'vitest';
import { formatEntry } from '../../src/history/format.ts';
import { traceOf } from '../support/golden/moments.ts';
import { openTask, policedCatalogue } from '../support/machine/task-driver.ts';

describe('a trace entry as prose', () => {
  it('stays one short line without control characters, whatever was said', () => {
    const [opened] = traceOf(openTask({ goal: `Look\n\u001b[31mhere ${'🙂'.repeat(1_000)}` }));
    const line = formatEntry(opened!);
    expect(line).toMatch(/^1 task\.opened task_1 "Look here 🙂/u);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line.length).toBeLessThan(200);
  });

  it('says where a message before it had it already', () => {
    const [, planned] = traceOf(openTask().plans('Look'));
    const { event } = planned!;
    const written = (said: object) => formatEntry({ ...planned!, event: { ...event, ...said } as typeof event });
    expect(written({ call: { at: 0 }, message: { calls: [] } })).toBe(formatEntry(planned!));
    expect(written({ call: { at: 0 } })).toContain('"Look" (same message) →');
  });

  it('says what a policy decided about an action, and why', () => {
    const task = openTask({ catalogue: policedCatalogue })
      .plans('Look')
      .says({
        status: 'continue',
        next_action: { tool: 'todo', input: 'list' },
        approval: { verdict: 'ask', summary: 'List the todos' },
      });
    expect(formatEntry(traceOf(task).at(-1)!)).toContain('continue, policy ask "List the todos" todo "list"');
  });
});
