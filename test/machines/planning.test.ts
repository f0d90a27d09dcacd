import { describe, expect, it } from 'vitest';
import { replyOf } from '../../src/projections/reply.ts';
import { openTask } from '../support/machine/task-driver.ts';

describe('A task that goes on with a plan that another system left', () => {
  const left_steps = [
    { step: 'Book flights', is_completed: true, result: 'Flight 12' },
    { step: '[CODE] Write the page', is_completed: false, result: null },
    { step: 'Pack', is_completed: false, result: null },
  ];

  it('replans first, with its completed steps as ended items and the others as its plan', () => {
    const task = openTask({ left_steps, confirm_plan: true, limits: { max_plan_items: 1 } });
    expect(task.effects).toEqual([{ type: 'model.replan', effect: 1, params: { attempt: 1 } }]);
    expect(task.context.past_items).toMatchObject([{ id: '1', status: 'completed', result: 'Flight 12' }]);
    expect(task.context.plan_items).toMatchObject([
      { id: '2', executor: 'coding_agent', status: 'not_started' },
      { id: '3', executor: 'default', status: 'not_started' },
    ]);
    expect(task.replans('Pack').state).toBe('awaiting_user');
  });

  it('may end at once where nothing is left to do', () => {
    expect(openTask({ left_steps: left_steps.slice(0, 1) }).concludes('All done').state).toBe('done');
  });
});

describe('A task that opens with a plan of its user’s', () => {
  it('begins with its first item, and tells the model whose plan it is', () => {
    const task = openTask({ plan: ['Book flights', '[CODE] Write the page'] });
    expect(task.effects).toEqual([
      { type: 'model.thought', effect: 1, params: { item_id: '1', may: ['continue', 'ask_user', 'done'] } },
    ]);
    expect(task.context.plan_items).toMatchObject([{ status: 'in_progress' }, { executor: 'coding_agent' }]);
    expect(task.context.log).toMatchObject([{ kind: 'plan', by: 'turn', items: [{ id: '1' }, { id: '2' }] }]);
  });

  it('shows it first with confirm_plan, and goes on with it at a yes', () => {
    const task = openTask({ plan: ['Book flights'], confirm_plan: true });
    expect(task.context.last_ask_user_question).toContain('1. Book flights');
    expect(task.answers('yes').effects).toMatchObject([{ type: 'model.thought' }]);
  });
});

describe('confirm_plan', () => {
  const asking = () => openTask({ confirm_plan: true }).plans('Buy milk', 'Call Ann');

  it.each(['no milk please', 'yes, but call Ann first', '好的，不过先打电话'])(
    'replans with "%s" as a clarification',
    (other) => {
      const task = asking().answers(other);
      expect(task.state).toBe('replanning');
      expect(task.context.clarification_history.map(({ text }) => text)).toEqual([other]);
    },
  );

  it.each(['ok?', '可以？', 'looks good?', 'no?', '1', '2'])('takes "%s" for neither yes nor no', (other) => {
    const task = asking().answers(other);
    expect(task.state).toBe('replanning');
    expect(task.context.clarification_history).toMatchObject([{ text: other }]);
  });

  it.each(['可以开始', '继续', 'continue', 'yes please'])('starts at "%s", without another call', (yes) => {
    expect(asking().answers(yes).effects).toMatchObject([{ type: 'model.thought' }]);
  });

  it('gives yes and no as options, which its question lists itself', () => {
    const { task } = asking();
    expect(replyOf(task)).toMatchObject({ options: ['yes', 'no'] });
    expect(replyOf(task).output).toMatch(/Shall I go on\? \(yes, no, or say what to change\)$/);
  });

  it('does not ask about an empty plan', () => {
    expect(openTask({ confirm_plan: true }).plans().state).toBe('thinking');
  });

  it('answers a question about the plan with the plan, and with what the model says to it', () => {
    const task = asking().answers('Why do I call Ann?').replans('Buy milk', 'Call Ann');
    expect(task.context.last_ask_user_question).toMatch(/^This is the plan/);
    task.answers('Why?').send({
      type: 'replan.made',
      status: 'replanned',
      response: 'She asked you to.',
      plan: ['Buy milk', 'Call Ann'],
      effect: task.context.open_effect!,
      reader: 'strict',
    });
    expect(task.context.last_ask_user_question).toMatch(/^She asked you to\.\n\nThis is the plan/);
  });
});

describe('confirm_plan: after_looking', () => {
  const looking = (more: Parameters<typeof openTask>[0] = {}) => openTask({ confirm_plan: 'after_looking', ...more });

  it('looks without a question, and shows the first replan’s plan', () => {
    const task = looking().plans('Look').acts('milk', 'search').observes('2 l').finishes('2 l').replans('Buy milk');
    expect(task.state).toBe('awaiting_user');
    expect(task.context.last_ask_user_question).toContain('1. Buy milk');
    const acting = task.answers('yes').acts('add milk', 'todo');
    expect(acting.effects).toMatchObject([{ type: 'tool.call', params: { tool: 'todo' } }]);
    expect(acting.observes('added').finishes().replans('Pay').state).toBe('thinking');
  });

  it('rejects a tool that writes, and says how to go on', () => {
    const task = looking().plans('Look').acts('add milk', 'todo');
    expect(task.events.at(-1)).toMatchObject({
      type: 'thought.rejected',
      reason: expect.stringMatching(/"todo" changes something.*only search may be called/),
    });
  });

  it('asks nobody where the task ends with what was found', () => {
    expect(looking().plans('Look').acts('milk', 'search').observes('2 l').finishes().concludes('2 l').state).toBe(
      'done',
    );
  });

  it('cancels at a no, and shows the plan again after a remark, still looking', () => {
    const shown = () => looking().plans('Look').finishes().replans('Buy milk');
    expect(shown().answers('no').state).toBe('cancelled');
    const again = shown().answers('Not without bread').replans('Buy bread');
    expect(again.context.last_ask_user_question).toContain('1. Buy bread');
  });

  it('shows the plan after the first item also where replans are spared, and a plan of the user’s own after looking', () => {
    expect(looking({ replan: 'when_needed' }).plans('Look', 'Buy').finishes().state).toBe('replanning');
    const own = looking({ plan: ['Look', 'Buy milk'] });
    expect(own.state).toBe('thinking');
    expect(own.finishes().replans('Buy milk').state).toBe('awaiting_user');
  });
});
