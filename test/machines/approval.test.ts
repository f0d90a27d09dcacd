import { describe, expect, it } from 'vitest';
import { isLastingYes, isYes } from '../../machines/phrases.ts';
import { EventNotAccepted } from '../../machines/step.ts';
import { replyOf } from '../../src/projections/reply.ts';
import { guardedCatalogue, openTask, type TaskOptions } from '../support/machine/task-driver.ts';

const guarded = (options: TaskOptions = {}) => openTask({ catalogue: guardedCatalogue, ...options }).plans('A', 'B');
const asking = (options: TaskOptions = {}) => guarded(options).acts('delete 1');
const called = { type: 'tool.call', params: { tool: 'todo', input: 'delete 1', item_id: '1', executor: 'default' } };

describe('Yes', () => {
  it('forgives the failures, as any answer does, and leaves the rounds as they are', () => {
    const task = guarded({ limits: { failure_limit: 3 } })
      .garbles('no JSON', 2)
      .acts('delete 1')
      .answers('yes');
    expect(task.context).toMatchObject({ consecutive_failures: 0, rounds: 3 });
  });

  it('ends the round that has begun, also where the thought was the last step of the budget', () => {
    const task = asking({ limits: { max_steps: 1 } });
    expect(task.state).toBe('awaiting_user');
    task.answers('yes');
    expect(task.effects).toMatchObject([called]);
    task.observes('Deleted');
    expect(task.state).toBe('paused');
    expect(task.context).toMatchObject({ pause_reason: 'step_limit', step_count: 2, step_limit: 1 });
  });
});

describe('An answer that is not a plain yes', () => {
  const replyTo = (text: string) => replyOf(asking().answers(text).concludes('Left it.').task).output;

  it('is a no, and the reply says that it was taken as one', () => {
    expect(replyTo('what would that do?')).toBe(
      'I took that as a no: the action did not run. Only a plain "yes" lets an action run.\n\nLeft it.',
    );
  });

  it.each(['no', '2', '不要'])('and a plain no is not explained: "%s"', (text) => {
    expect(replyTo(text)).toBe('Left it.');
  });
});

describe('Always', () => {
  it('is kept over a pause', () => {
    const task = asking().decides({ type: 'approve_always' }).observes('Deleted').losesModel().resumes();
    expect(task.replans('C').acts('delete 3').state).toBe('acting');
  });
});

describe('An edited input', () => {
  it("runs in place of the thought's, and its observation is recorded with it", () => {
    const task = asking().decides({ type: 'edit', input: 'delete 2' });
    expect(task.effects).toMatchObject([{ type: 'tool.call', params: { tool: 'todo', input: 'delete 2' } }]);
    task.observes('Deleted 2');
    expect(task.context.observations).toMatchObject([
      { tool: 'todo', input: 'delete 2', instead_of: 'delete 1', result: 'Deleted 2' },
    ]);
    expect(task.context.approved_tools).toEqual([]);
    expect(task.events.filter(({ type }) => type === 'thought.made')).toMatchObject([
      { next_action: { input: 'delete 1' } },
    ]);
    expect(task.acts('oaks', 'search').observes('Old').context.observations[1]).not.toHaveProperty('instead_of');
  });
});

describe('No, or anything else', () => {
  it.each(['no', '2', 'only the first', 'yes but keep the milk', '可以吗？', 'yes?', 'always?', '1?', 'continue'])(
    'by "%s" runs nothing and replans',
    (text) => {
      const task = asking().answers(text);
      expect(task.state).toBe('replanning');
      expect(task.effects).toMatchObject([{ type: 'model.replan' }]);
      expect(task.context.clarification_history).toEqual([
        { question: 'May I run "todo"? (It did not run.) Its input: delete 1', text: text === '2' ? 'no' : text },
      ]);
    },
  );

  it('by a decision joins the clarifications with its reason, or as a plain no', () => {
    const reasoned = asking().decides({ type: 'reject', reason: 'Ask Ann first' });
    expect(reasoned.context.clarification_history).toMatchObject([{ text: 'Ask Ann first' }]);
    expect(reasoned.state).toBe('replanning');
    expect(asking().decides({ type: 'reject' }).context.clarification_history).toMatchObject([{ text: 'no' }]);
  });
});

describe('A yes that comes too late', () => {
  it('after an edit of the plan runs nothing: replan comes next', () => {
    const task = asking().edits({ kind: 'add', step: 'C' });
    expect(task.state).toBe('awaiting_user');
    expect(task.context).toMatchObject({
      awaiting: 'edited_plan',
      last_ask_user_question: 'The plan was changed, so "todo" did not run. Shall I go on with the changed plan?',
      question_options: [],
    });
    expect(() => task.decides({ type: 'approve' })).toThrow(EventNotAccepted);
    expect(task.edits({ kind: 'drop', index: 2 }).state).toBe('awaiting_user');
    expect(task.answers('yes').effects).toMatchObject([{ type: 'model.replan' }]);
  });
});

describe('An answer is a yes', () => {
  it.each([
    ...['yes', 'Y', 'Okay!', 'Sure, go ahead.', 'just run it', 'Approved.', 'Yes, run it now'],
    ...['是的', '好的，执行吧', '可以', '行', '同意', '没问题', '那就做吧'],
  ])('when it is "%s"', (text) => {
    expect([isYes(text), isLastingYes(text)]).toEqual([true, false]);
  });

  it.each([
    ...['always', 'yes, always', 'always allow', 'yes to all', "yes, don't ask again"],
    ...['总是允许', '總是', '以後都可以', '可以，不用再问了', '好的，以后别再问'],
  ])('for the whole task when it is "%s"', (text) => {
    expect([isYes(text), isLastingYes(text)]).toEqual([false, true]);
  });

  it.each([
    ...['no', 'not yes', 'yes?', 'yes but later', "don't run it", 'run it on list 2', 'always ask', "don't ask again"],
    ...['不', '不可以', '可以吗？', '是不是', '好的，但是先备份', '不用再问', '总是问我', '执行第二个', '别执行'],
    ...['always?', '总是？', '一直', '一直是', 'please approve', '请批准'],
    ...['', '👍 yes 1', 'y'.repeat(300)],
  ])('never when it is "%s"', (text) => {
    expect([isYes(text), isLastingYes(text)]).toEqual([false, false]);
  });
});
