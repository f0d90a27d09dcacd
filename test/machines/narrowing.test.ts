import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

const NARROWED = ['ask_user', 'done'];
const FREE = ['continue', 'ask_user', 'done'];

/** A task whose item has failed so many times in a row. */
const failing = (times: number, options = {}) =>
  openTask({ limits: { failure_limit: 3 }, ...options })
    .plans('A', 'B')
    .garbles('no JSON', times);

describe('Failures in a row', () => {
  it('leave the thought free until there are failure_limit of them', () => {
    expect(failing(2).may).toEqual(FREE);
    expect(failing(3).may).toEqual(NARROWED);
  });

  it('are rejected thoughts and failed tools alike', () => {
    const task = failing(1).acts().observes('no list', false).garbles();
    expect(task.context.consecutive_failures).toBe(3);
    expect(task.may).toEqual(NARROWED);
  });

  it('are forgiven for a tool that succeeds', () => {
    expect(failing(2).acts().observes('milk').context).toMatchObject({ consecutive_failures: 0, recent_failures: [] });
  });

  it("are forgiven at the item's end", () => {
    expect(failing(3).finishes().replans('B').may).toEqual(FREE);
    expect(failing(3).blocks().context.consecutive_failures).toBe(0);
  });

  it('are forgiven for an answer', () => {
    expect(failing(3).asks('Which day?').answers('Monday').replans('A').may).toEqual(FREE);
  });

  it('are forgiven for a resume', () => {
    expect(failing(3).losesModel().resumes().replans('A').may).toEqual(FREE);
  });

  it('are not forgiven for a steer or the replan that it leads to', () => {
    expect(failing(2).steers('Mind the cat').garbles().replans('A').may).toEqual(NARROWED);
  });
});

describe('A narrowed thought', () => {
  it('may only say done when the questions are used up, too', () => {
    expect(failing(3, { limits: { failure_limit: 3, max_questions: 0 } }).may).toEqual(['done']);
  });

  it.each([
    [[{ id: 'a', step: 'A', tools: ['can'] }], 'The step "A" has no tool that it can use (it names can).'],
    [[], 'The step "Plan the party" got nowhere: the model\'s answers could not be used, 4 in a row.'],
  ])('says why it asks, also where nothing failed but the narrowing itself: plan %j', (plan, why) => {
    const task = openTask({ limits: { failure_limit: 3 } }).plans(...plan);
    while (task.state === 'thinking') task.acts();
    expect(task.context.last_ask_user_question).toBe(`${why}\nWhat should I do?`);
  });

  it.each([
    ['en', 'The step "A" reached its round limit (2 rounds) unfinished.\nWhat should I do?'],
    ['zh', '步骤「A」达到轮数上限（2 轮），仍未完成。\n接下来该怎么做？'],
  ] as const)('in %s names the limit of rounds that narrowed it, and not the narrowing', (language, question) => {
    const task = openTask({ language, limits: { max_rounds_per_item: 2, failure_limit: 1 } }).plans('A', 'B');
    for (const input of ['1', '2']) task.acts(input).observes(`ok ${input}`);
    task.acts('3').acts('3');
    expect(task.context.last_ask_user_question).toBe(question);
  });
});
