import { describe, expect, it } from 'vitest';
import { isSettled } from '../../contracts/task.ts';
import { type Reply, replyOf } from '../../src/projections/reply.ts';
import { act, blocked, done, planned, replanned } from '../support/golden/answers.ts';
import { goldenMoments } from '../support/golden/files.ts';
import { goldenSession } from '../support/golden/session.ts';

/** The replies of a golden task, in order. */
const replies = (name: string): Reply[] =>
  goldenMoments(name)
    .filter(({ after }) => isSettled(after.state))
    .map(({ after }) => replyOf(after));

describe('the reply of a settled task', () => {
  it("is replan's response when the task is done", () => {
    expect(replies('straight-answer')).toEqual([
      { status: 'answered', output: 'The capital of Peru is Lima.', question: null, options: null },
    ]);
  });

  it('asks for confirmation while it waits, with the bare question beside it', () => {
    expect(replies('ask-and-answer')[0]).toEqual({
      status: 'asking',
      output: 'Please confirm: When shall the meeting be?',
      question: 'When shall the meeting be?',
      options: null,
    });
    expect(replies('question-in-chinese')[0]).toMatchObject({
      output: '请确认：会议什么时候开？',
      question: '会议什么时候开？',
    });
  });

  it('is a failed turn with what the model says when the task was given up', () => {
    expect(replyOf(goldenMoments('given-up').at(-1)!.after)).toEqual({
      status: 'failed',
      output: '没能下载报告：服务器没有响应。请稍后再试。',
      question: null,
      options: null,
    });
  });

  it('has three parts at the step limit', () => {
    expect(replies('step-limit-and-continue')[0]).toEqual({
      status: 'paused',
      question: null,
      output: [
        '## What is done',
        '- [✓] Add milk: Added todo 1: milk',
        '',
        '## Why it is not finished',
        'The task used 4 of 4 steps.',
        'Still to do: Add bread',
        '',
        '## What to do next',
        'Send "continue" for up to 4 more steps.',
      ].join('\n'),
      options: null,
    });
  });

  it('has the same three parts in Chinese, with the work in progress', () => {
    const [paused, failed] = replies('total-limit-fails');
    expect(paused!.output).toBe(
      [
        '## 已完成',
        '计划中还没有完成的步骤。',
        '- [→] 进行中：从一数到一百',
        '  最近一次成功：todo -> add 一：已添加待办 1：一',
        '',
        '## 为什么还没结束',
        '任务已用 2 步，上限 2 步。',
        '还要做：从一数到一百',
        '',
        '## 接下来怎么做',
        '发送“继续”最多可再用 1 步。',
      ].join('\n'),
    );
    expect(failed).toMatchObject({ status: 'failed', output: expect.stringContaining('一个任务最多只能用 3 步') });
  });

  it.each([
    ['Add milk', 'Every item of the plan is completed; only the closing answer is missing.'],
    ['买牛奶', '计划的所有步骤都已完成，只差最后的答复。'],
  ])('says at a limit with every item of "%s" done that only the answer is missing', (goal, missing) => {
    const task = goldenSession('all-done').openTask(goal, { limits: { max_steps: 1 } });
    task.model(planned(goal));
    task.model(done('Added'));
    const { status, output } = replyOf(task.task());
    expect(status).toBe('paused');
    expect(output).toContain(missing);
  });

  it.each([
    ['model-unavailable-and-resume', 'The model gave no answer.'],
    ['replan-contract-failure', '3 in a row.'],
    ['deadlock-twice', 'no item left can run (1)'],
    ['replan-limit', 'used 1 of 1 replans'],
    ['crash-loop', 'begun 3 times without an outcome'],
    ['machine-changed', 'The service was updated'],
    ['verification-limit', '仍有 1 个测试失败'],
  ])('says in words why %s is paused', (name, why) => {
    const reply = replies(name).find(({ status }) => status === 'paused')!;
    expect(reply.output).toContain(why);
  });

  it('never lists as done what was blocked, and says why it was', () => {
    const task = goldenSession('blocked').openTask('Two things', { limits: { max_steps: 2 } });
    task.model(planned('Download it', 'Sum it up'));
    task.model(blocked('No server'));
    task.model(replanned('Sum it up'));
    const { output } = replyOf(task.task());
    const [finished, why] = output.split('## Why it is not finished');
    expect(finished).not.toContain('Download it');
    expect(why).toContain('- [!] Download it: No server');
  });

  it('stays short and plain however much was done', () => {
    const session = goldenSession('much');
    const task = session.openTask('Much', { limits: { max_steps: 80, max_plan_items: 50 } });
    const steps = Array.from({ length: 50 }, (_, i) => `Step ${i} ${'long '.repeat(100)}`);
    task.model(planned(...steps));
    for (let i = 0; i < 40; i += 1) {
      task.model(done(`Result ${i} \u001b[31m${'text '.repeat(500)}`));
      if (task.task().state === 'replanning') task.model(replanned(...steps.slice(i + 1)));
    }
    const { output } = replyOf(task.task());
    expect(output).toContain('… and 10 more');
    expect(output).toContain('Step 39');
    expect(output).not.toContain('\u001b');
    expect(output.length).toBeLessThan(20_000);
  });

  it('is refused while the task still works', () => {
    const session = goldenSession('works');
    const task = session.openTask('Add milk');
    expect(() => replyOf(task.task())).toThrow("'planning'");
    task.model(planned('Add milk'));
    task.model(act('todo', 'add milk'));
    expect(() => replyOf(task.task())).toThrow("'acting'");
  });
});
