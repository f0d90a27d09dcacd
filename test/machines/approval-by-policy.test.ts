import { describe, expect, it } from 'vitest';
import type { ApprovalVerdict } from '../../contracts/answer.ts';
import { messages } from '../../contracts/messages/messages.ts';
import { taskView } from '../../src/projections/task-view.ts';
import { openTask, policedCatalogue, type TaskOptions } from '../support/machine/task-driver.ts';

const policed = (options: TaskOptions = {}) => openTask({ catalogue: policedCatalogue, ...options }).plans('A', 'B');

const wants = (tool: string, approval?: ApprovalVerdict) => ({
  status: 'continue' as const,
  current_step: 'now',
  next_action: { tool, input: 'delete 1' },
  ...(approval !== undefined && { approval }),
});

describe('A tool with a policy', () => {
  it('runs without a question where the verdict is to run it', () => {
    const task = policed().says(wants('todo', { verdict: 'run' }));
    expect(task.state).toBe('acting');
    expect(task.effects).toMatchObject([{ type: 'tool.call', params: { tool: 'todo', input: 'delete 1' } }]);
  });

  it('is asked about with the summary and the reason before its whole input', () => {
    const approval = { verdict: 'ask', summary: 'Delete todo 1', reason: 'It is due today' } as const;
    const task = policed().says(wants('todo', approval));
    expect(task.state).toBe('awaiting_user');
    expect(task.context.last_ask_user_question).toBe(
      'Delete todo 1\n\nIt is due today\n\nMay I run the tool "todo" with this input?\n\ndelete 1',
    );
    expect(taskView(task.task).approval).toEqual({
      id: 'approval-task_1-1',
      tool: 'todo',
      input: 'delete 1',
      summary: 'Delete todo 1',
      reason: 'It is due today',
    });
  });

  it('is asked about where there is no verdict', () => {
    expect(policed().says(wants('todo')).context.awaiting).toBe('approval');
  });

  it('does not run where it is denied: the reason is its failed result', () => {
    const task = policed().says(wants('todo', { verdict: 'deny', reason: 'over the limit' }));
    expect(task.state).toBe('acting');
    const refusal = 'todo did not run: its policy denies this call: over the limit';
    expect(task.effects).toMatchObject([{ type: 'tool.call', params: { tool: 'todo', refusal } }]);
  });

  it('runs without a question after "always", but not where it is denied', () => {
    const task = policed()
      .says(wants('todo', { verdict: 'ask' }))
      .decides({ type: 'approve_always' })
      .observes('Deleted');
    expect(task.says(wants('todo', { verdict: 'ask' })).effects).toMatchObject([{ type: 'tool.call' }]);
    task.observes('Deleted').says(wants('todo', { verdict: 'deny' }));
    expect(task.effects).toMatchObject([{ params: { refusal: 'todo did not run: its policy denies this call' } }]);
  });
});

describe('A tool that asks after results from outside', () => {
  const { exposed } = messages('en').questions;

  it('runs without a question before there are any', () => {
    expect(policed().says(wants('code')).state).toBe('acting');
  });

  it.each([true, false])('is asked about after such a result, which was ok: %s, with the reason', (ok) => {
    const task = policed().acts('oaks', 'search').observes('Old', ok).says(wants('code'));
    expect(task.context).toMatchObject({ exposed: 'search', awaiting: 'approval' });
    expect(task.context.last_ask_user_question).toContain(exposed('search'));
    expect(taskView(task.task).approval).toMatchObject({ tool: 'code', reason: exposed('search') });
    expect(task.answers('yes').effects).toMatchObject([{ type: 'tool.call', params: { tool: 'code' } }]);
  });

  it('is asked about after several such results at once', () => {
    const task = policed().reads(['oaks', 'elms']).observesAll('Old', 'Tall').says(wants('code'));
    expect(task.context).toMatchObject({ exposed: 'search', awaiting: 'approval' });
  });

  it('is asked about in later items of the plan, too', () => {
    const task = policed().acts('oaks', 'search').observes('Old').finishes().replans('B').says(wants('code'));
    expect(task.context.awaiting).toBe('approval');
  });

  it('is asked about where it turns out later that an earlier result came from outside', () => {
    const task = openTask().plans('A').acts('oaks', 'search').observes('Old').finishes();
    task.send({
      type: 'replan.made',
      status: 'replanned',
      plan: ['B'],
      response: null,
      catalogue: policedCatalogue,
      effect: task.context.open_effect ?? 0,
      reader: 'strict',
    });
    expect(task.says(wants('code')).context).toMatchObject({ exposed: 'search', awaiting: 'approval' });
  });

  it('is asked about no more after "always"', () => {
    const task = policed().acts('oaks', 'search').observes('Old').says(wants('code')).answers('always');
    expect(task.observes('Done').says(wants('code')).state).toBe('acting');
  });

  it('is not asked about after a call that was refused: nothing came from outside', () => {
    const task = policed()
      .says({ ...wants('search'), refusal: 'no such input' })
      .observes('no such input', false);
    expect(task.context.exposed).toBeNull();
  });
});
