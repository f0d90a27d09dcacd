import { describe, expect, it } from 'vitest';
import { replyOf } from '../../src/projections/reply.ts';
import { openTask } from '../support/machine/task-driver.ts';

/** The replies of golden tasks stand in their traces. */
describe('the reply of a settled task', () => {
  it('has the bare question beside it while it asks', () => {
    const { task } = openTask().plans('A').asks('When?', ['Now', 'Later']);
    expect(replyOf(task)).toMatchObject({ status: 'asking', question: 'When?', options: ['Now', 'Later'] });
    expect(replyOf(openTask().plans().finishes().concludes('Hi').task)).toMatchObject({
      question: null,
      options: null,
    });
  });

  it.each([
    ['Refund order 17', 'en', 'Please confirm: Which card?'],
    ['退款订单 17', 'zh', '请确认：Which card?'],
    ['Erstatte mir Bestellung 17', 'en', 'Which card?'],
    ['注文17を返金して', 'en', 'Which card?'],
  ] as const)('has a prefix to the question where the goal is English or Chinese: %s', (goal, language, output) => {
    const { task } = openTask({ goal, language }).plans('A').asks('Which card?');
    expect(replyOf(task).output).toBe(output);
  });

  it.each([
    ['en', 'Every item of the plan is completed; only the closing answer is missing.'],
    ['zh', '计划的所有步骤都已完成，只差最后的答复。'],
  ] as const)('says at a limit with every item done that only the answer is missing (%s)', (language, missing) => {
    const { task } = openTask({ language, limits: { max_steps: 1 } })
      .plans('Add milk')
      .finishes('Added');
    const { status, output } = replyOf(task);
    expect(status).toBe('paused');
    expect(output).toContain(missing);
  });

  it('never lists as done what was blocked, and says why it was', () => {
    const { task } = openTask({ limits: { max_steps: 2 } })
      .plans('Download it', 'Sum it up')
      .blocks('No server')
      .replans('Sum it up');
    const { output } = replyOf(task);
    const [finished, why] = output.split('## Why it is not finished');
    expect(finished).not.toContain('Download it');
    expect(why).toContain('- [!] Download it: No server');
  });

  it('stays short and plain however much was done', () => {
    const steps = Array.from({ length: 50 }, (_, i) => `Step ${i} ${'long '.repeat(100)}`);
    const driven = openTask({ limits: { max_steps: 80, max_plan_items: 50 } }).plans(...steps);
    for (let i = 0; i < 40; i += 1) {
      driven.finishes(`Result ${i} \u001b[31m${'text '.repeat(500)}`);
      if (driven.state === 'replanning') driven.replans(...steps.slice(i + 1));
    }
    const { output } = replyOf(driven.task);
    expect(output).toContain('… and 10 more');
    expect(output).toContain('Step 39');
    expect(output).not.toContain('\u001b');
    expect(output.length).toBeLessThan(20_000);
  });

  it('is refused while the task still works', () => {
    expect(() => replyOf(openTask().task)).toThrow("'planning'");
    expect(() => replyOf(openTask().plans('Add milk').acts().task)).toThrow("'acting'");
  });
});
