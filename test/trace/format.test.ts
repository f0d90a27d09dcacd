import { describe, expect, it } from 'vitest';
import { formatEntry } from '../../src/engine/replay/format.ts';
import { act, planned } from '../support/golden/answers.ts';
import { goldenSession } from '../support/golden/session.ts';

describe('a trace entry as prose', () => {
  it('says the event, what it asks for, and the state that it led to', () => {
    const session = goldenSession('prose');
    const task = session.openTask('Add milk');
    task.model(planned('Add milk'));
    task.model(act('todo', 'add milk'));
    expect(session.lines.map(formatEntry)).toEqual([
      '1 task.opened task_1 "Add milk" → model.plan (planning, step 0)',
      '2 plan.made "Add milk" → model.thought on item 1, may continue|ask_user|done (thinking, step 0)',
      '3 thought.made continue → tool.call todo "add milk" (acting, step 1)',
    ]);
  });

  it("says a session's own events, which lead to no state", () => {
    const session = goldenSession('fork');
    session.sessionEvent({ type: 'session.forked', from_session_id: 'other', from_task_id: 'task_1', at_seq: 7 });
    expect(session.lines.map(formatEntry)).toEqual(['1 session.forked from other task_1 at 7']);
  });

  it('stays one short line without control characters, whatever was said', () => {
    const session = goldenSession('hostile');
    session.openTask(`Look\n\u001b[31mhere ${'🙂'.repeat(1_000)}`);
    const line = formatEntry(session.lines[0]!);
    expect(line).toMatch(/^1 task\.opened task_1 "Look here 🙂/u);
    expect(line).not.toMatch(/\p{Cc}/u);
    expect(line.length).toBeLessThan(200);
  });
});
