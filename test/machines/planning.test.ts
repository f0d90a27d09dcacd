import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

const stepsOf = (task: ReturnType<typeof openTask>): string[] => task.context.plan_items.map((item) => item.step);

describe('A new task', () => {
  it('asks for a plan first, and for nothing else', () => {
    const task = openTask();
    expect(task.state).toBe('planning');
    expect(task.effects).toEqual([{ type: 'model.plan', effect: 1, params: { attempt: 1 } }]);
  });

  it('proceeds to a thought about the first item once the plan is made', () => {
    const task = openTask().plans('Buy milk', 'Call Ann');
    expect(task.state).toBe('thinking');
    expect(task.effects).toEqual([
      {
        type: 'model.thought',
        effect: 2,
        params: { item_id: '1', may: ['continue', 'ask_user', 'done'] },
      },
    ]);
    expect(task.item).toMatchObject({ step: 'Buy milk', status: 'in_progress' });
  });
});

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

describe('A plan that fails its contract', () => {
  it('is asked for again, saying which attempt it is, at no cost', () => {
    const task = openTask().garbles();
    expect(task.state).toBe('planning');
    expect(task.effects).toEqual([{ type: 'model.plan', effect: 2, params: { attempt: 2 } }]);
    expect(task.context).toMatchObject({ step_count: 0, consecutive_failures: 0 });
  });

  it('becomes the one-item plan [goal] after 1 + plan_retries failures', () => {
    const task = openTask({ goal: 'Plan the party', limits: { plan_retries: 2 } }).garbles('no JSON', 2);
    expect(task.state).toBe('planning');
    task.garbles();
    expect(task.state).toBe('thinking');
    expect(stepsOf(task)).toEqual(['Plan the party']);
    expect(task.context.plan_initialized).toBe(true);
  });
});

describe('An empty plan', () => {
  it('lets the thought run with no item, and only ask or say done', () => {
    const task = openTask().plans();
    expect(task.effects).toMatchObject([{ params: { item_id: null, may: ['ask_user', 'done'] } }]);
  });

  it('leads from done to a replan, which may answer', () => {
    const task = openTask().plans().finishes('It is a greeting');
    expect(task.state).toBe('replanning');
    expect(task.context.needs_replan).toBe(true);
    expect(task.concludes('Hello!').state).toBe('done');
    expect(task.context.pending_final_response).toBe('Hello!');
  });
});

describe('confirm_plan', () => {
  const asking = () => openTask({ confirm_plan: true }).plans('Buy milk', 'Call Ann');

  it('waits for the user with the plan as the question', () => {
    const task = asking();
    expect(task.state).toBe('awaiting_user');
    expect(task.context.awaiting_clarification).toBe(true);
    expect(task.context.last_ask_user_question).toContain('1. Buy milk\n2. Call Ann');
    expect(task.effects).toEqual([]);
  });

  it.each(['yes', ' OK. ', '好的', '可以！'])('continues with the plan as it is at "%s"', (yes) => {
    const task = asking().answers(yes);
    expect(task.state).toBe('thinking');
    expect(task.context.clarification_history).toEqual([]);
    expect(stepsOf(task)).toEqual(['Buy milk', 'Call Ann']);
  });

  it.each(['no', 'No.', '不要', '取消'])('cancels at "%s"', (no) => {
    expect(asking().answers(no).state).toBe('cancelled');
  });

  it.each(['no milk please', 'yes, but call Ann first', '好的，不过先打电话'])(
    'replans with "%s" as a clarification',
    (other) => {
      const task = asking().answers(other);
      expect(task.state).toBe('replanning');
      expect(task.context.clarification_history.map(({ text }) => text)).toEqual([other]);
    },
  );

  it('does not ask about an empty plan', () => {
    expect(openTask({ confirm_plan: true }).plans().state).toBe('thinking');
  });

  it('shows a plan that an answer changed and waits again, until yes', () => {
    const task = asking().answers('first call Ann').replans('Call Ann', 'Buy milk');
    expect(task.state).toBe('awaiting_user');
    expect(task.context.last_ask_user_question).toContain('1. Call Ann\n2. Buy milk');
    expect(task.answers('and water the plants').replans('Call Ann').state).toBe('awaiting_user');
    expect(task.answers('yes').state).toBe('thinking');
    expect(task.finishes().replans('Eat').state).toBe('thinking');
  });

  it('answers a question about the plan with the plan, and with what the model says to it', () => {
    const task = asking().answers('Why do I call Ann?').replans('Buy milk', 'Call Ann');
    expect(task.context.last_ask_user_question).toMatch(/^This is the plan/);
    task.answers('Why?').send({
      ...{ type: 'replan.made', status: 'replanned', response: 'She asked you to.' },
      ...{ plan: ['Buy milk', 'Call Ann'], effect: task.context.open_effect!, reader: 'strict' },
    });
    expect(task.context.last_ask_user_question).toMatch(/^She asked you to\.\n\nThis is the plan/);
  });
});

describe('A task without planning', () => {
  it('has its goal as the only item, without asking a model for a plan', () => {
    const task = openTask({ goal: 'Water the plants', planning: false });
    expect(task.state).toBe('thinking');
    expect(task.effects).toMatchObject([{ type: 'model.thought', effect: 1 }]);
    expect(task.context).toMatchObject({ plan_initialized: true, plan_items: [{ step: 'Water the plants' }] });
  });

  it('asks about that plan where plans are to be confirmed', () => {
    const task = openTask({ planning: false, confirm_plan: true });
    expect(task.state).toBe('awaiting_user');
    expect(task.effects).toEqual([]);
    expect(task.answers('yes').state).toBe('thinking');
  });
});
