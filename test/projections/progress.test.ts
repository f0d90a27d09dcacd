import { describe, expect, it } from 'vitest';
import type { ProgressKind } from '../../contracts/stream.ts';
import { progressLines } from '../../src/projections/progress.ts';
import { act, done, finished, planned, replanned } from '../support/golden/answers.ts';
import { goldenMoments, goldenNames } from '../support/golden/files.ts';
import { goldenSession, type Moment } from '../support/golden/session.ts';

/** All progress lines of a session; `kinds` keeps only those. */
const progressOf = (moments: readonly Moment[], ...kinds: ProgressKind[]): string[] =>
  moments
    .flatMap(({ before, entry, after }) => progressLines(before, entry, after))
    .filter(({ kind }) => kinds.length === 0 || kinds.includes(kind))
    .map(({ text }) => text);

describe('progress lines', () => {
  it('tell a whole task from its plan to its end', () => {
    expect(progressOf(goldenMoments('two-items-with-tools'))).toEqual([
      'Plan made: 2 items: 1. Add milk to the todos · 2. Schedule the dentist visit',
      'Item 1/2: Add milk to the todos',
      'Decision: use a tool',
      'Action: todo -> add milk',
      'Result: ok: Added todo 1: milk',
      'Decision: done',
      'Replanned: 1 item, unchanged',
      'Item 2/2: Schedule the dentist visit',
      'Decision: use a tool',
      'Action: schedule -> add "2026-01-09 10:00" Dentist --duration 30',
      'Result: ok: Scheduled 1: Dentist, Fri 2026-01-09 10:00',
      'Decision: done',
      'Finished: 2 of 2 items, 2 ok, 0 failed, 8 of 20 steps',
    ]);
  });

  it('tell it in Chinese where the goal is Chinese', () => {
    expect(progressOf(goldenMoments('two-items-in-chinese'))).toEqual([
      '计划已制定：共 2 项：1. 把牛奶加入待办 · 2. 查明天的天气',
      '步骤 1/2：把牛奶加入待办',
      '决定：使用工具',
      '动作：todo -> add 牛奶',
      '结果：成功：已添加待办 1：牛奶',
      '决定：完成',
      '已重新规划：共 1 项，不变',
      '步骤 2/2：查明天的天气',
      '决定：使用工具',
      '动作：internet_search -> 明天 天气',
      '结果：失败：网络不可用',
      '决定：完成',
      '完成：2/2 项，成功 1 次，失败 1 次，已用 8/20 步',
    ]);
  });

  it('count on across a replan that changes the plan, and list what is left', () => {
    expect(progressOf(goldenMoments('item-repeated-by-replan'), 'item', 'replan', 'rejected')).toEqual([
      'Item 1/2: Find the first quote',
      "The model's replan could not be used (1 in a row)",
      'Replanned: 2 items: 1. Find the second quote · 2. Find the third quote',
      'Item 2/3: Find the second quote',
      'Replanned: 1 item, unchanged',
      'Item 3/3: Find the third quote',
    ]);
  });

  it('begin a resumed task with where it stands', () => {
    expect(progressOf(goldenMoments('step-limit-and-continue'), 'paused', 'resumed')).toEqual([
      'Paused (step limit reached): 1 of 2 items, 1 ok, 0 failed, 4 of 4 steps',
      'Resumed: 1 of 2 items done, next: Add bread, 4 of 8 steps',
      'Paused (step limit reached): 2 of 2 items, 2 ok, 0 failed, 8 of 8 steps',
      'Resumed: 2 of 2 items done, next: replan, 8 of 12 steps',
    ]);
    expect(progressOf(goldenMoments('model-unavailable-and-resume'), 'resumed')[0]).toBe(
      'Resumed: 0 of 0 items done, next: make a plan, 0 of 20 steps',
    );
  });

  it('say that an answer could not be used, and never show its text', () => {
    const lines = progressOf(goldenMoments('narrowed-and-machine-asks'), 'rejected');
    expect(lines).toEqual([
      "The model's decision could not be used (failure 2 in a row)",
      "The model's decision could not be used (failure 3 in a row)",
    ]);
    expect(progressOf(goldenMoments('plan-becomes-goal'), 'rejected', 'plan')).toEqual([
      "The model's plan could not be used (attempt 1)",
      "The model's plan could not be used (attempt 2)",
      "The model's plan could not be used (attempt 3)",
      'No plan could be used, so the goal itself is the plan: 1. Tidy my list',
    ]);
  });

  it('say each deadlock, with the plan that ran into it', () => {
    expect(progressOf(goldenMoments('deadlock-twice'), 'replan', 'deadlock', 'paused').slice(0, 5)).toEqual([
      'Replanned: 1 item, unchanged',
      'Deadlock: 1 item left and none can run, because of what they wait for',
      'Replanned: 1 item: 1. Put it on a plate',
      'Deadlock: 1 item left and none can run, because of what they wait for',
      'Paused (no item can run): 0 of 3 items, 0 ok, 0 failed, 3 of 20 steps',
    ]);
  });

  it('number the item after one that was blocked, and say that a task was given up', () => {
    expect(progressOf(goldenMoments('blocked-item-and-another-way'), 'item')).toEqual([
      'Item 1/2: Download the report',
      'Item 2/3: Ask a colleague for the report',
      'Item 3/3: Sum it up',
    ]);
    expect(progressOf(goldenMoments('given-up'), 'finished', 'failed')).toEqual([
      '已放弃：0/2 项，成功 0 次，失败 1 次，已用 4/20 步',
    ]);
  });

  it('say what people put in: answers, steers, edits and cancels', () => {
    expect(progressOf(goldenMoments('ask-and-answer'), 'question', 'answer')).toEqual([
      'Question: When shall the meeting be?',
      'Your answer: Monday at nine',
    ]);
    expect(progressOf(goldenMoments('steer'), 'steer')).toEqual([
      'Your message is taken up at the next replan: Make it about autumn',
      'Your message is taken up at the next replan: And make it rhyme',
    ]);
    expect(progressOf(goldenMoments('plan-edited'), 'plan_edited')).toEqual([
      'Plan edited, 3 items to do: 1. Pack · 2. Book a train · 3. Book a hotel',
      'Plan edited, 1 item to do: 1. Pack',
    ]);
    expect(progressOf(goldenMoments('cancelled-while-running'), 'cancelled', 'superseded')).toEqual([
      'Cancelled: 0 of 1 items, 0 ok, 0 failed, 1 of 20 steps',
      'A late result came; it changes nothing',
    ]);
  });

  it('say what the machine changed in a plan', () => {
    expect(progressOf(goldenMoments('tags-and-notes'), 'note')).toContain(
      'Note: the plan of 4 items is cut to 3; the limit is 3',
    );
  });

  it('hold no control character and stay one short line, whatever a tool gives back', () => {
    const session = goldenSession('hostile');
    const task = session.openTask('Look \u001b[2Jhere');
    task.model(planned('Step\nwith \u001b[31mcolour\u001b[0m'));
    task.model(act('todo', `add ${'x'.repeat(5_000)}\n\u001b]8;;http://evil\u0007link`));
    task.tool(`line one\r\nline two\u0000\u202e ${'🙂'.repeat(3_000)}`);
    for (const line of progressOf(session.moments)) {
      expect(line).not.toMatch(/[\p{Cc}\u202e]/u);
      expect(line.length).toBeLessThan(300);
      expect(line.isWellFormed()).toBe(true);
    }
    expect(progressOf(session.moments, 'item')).toEqual(['Item 1/1: Step with colour']);
  });

  it("never show what a model said to itself or an item's conclusion", () => {
    const session = goldenSession('private');
    const task = session.openTask('Add milk');
    task.model(planned('Add milk', 'Add bread'));
    task.model(act('todo', 'add milk'));
    task.tool('Added');
    task.model(done('SECRET-CONCLUSION'));
    task.model(replanned('Add bread'));
    task.model('SECRET-REASONING, and no JSON');
    task.model(done());
    task.model(finished('Done.'));
    const all = progressOf(session.moments).join('\n');
    expect(all).not.toMatch(/SECRET|I use todo/);
  });

  it.each(goldenNames)('end %s with the state that it ends in', (name) => {
    const { before, entry, after } = goldenMoments(name).at(-1)!;
    const kinds = { done: 'finished', failed: 'failed', cancelled: 'cancelled' } as Record<string, string>;
    const kind = after.context.outcome === 'failed' ? 'failed' : kinds[after.state];
    expect(progressLines(before, entry, after).at(-1)!.kind).toBe(kind);
  });
});
