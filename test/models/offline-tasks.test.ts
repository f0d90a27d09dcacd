import { describe, expect, it } from 'vitest';
import { openOfflineTask } from './offline-task.ts';

const answerOf = ({ task }: { task: { context: { pending_final_response: string | null } } }): string =>
  task.context.pending_final_response ?? '';

describe('a goal of two parts', () => {
  it('goes through plan, thought, action, observation, thought and replan for each, and is summed up', async () => {
    const done = await openOfflineTask(
      'Add a todo to buy milk and schedule a dentist appointment tomorrow at 3pm',
    ).run();
    expect(done.log).toEqual([
      'plan 2',
      'call todo',
      'ok todo add "buy milk"',
      'item done',
      'replan 1',
      'call schedule',
      'ok schedule add "2026-11-22 15:00" "dentist appointment"',
      'item done',
      'done',
    ]);
    expect(done.task.state).toBe('done');
    expect(answerOf(done)).toContain('2 of 2 done:\n1. Add a todo to buy milk\n');
    expect(answerOf(done)).toContain('offline model');
  });
});

describe('a question', () => {
  it('is asked again in other words when the answer is not understood, and then given up', async () => {
    const asking = await openOfflineTask('schedule a meeting').run();
    const questions = [];
    for (const nonsense of ['whenever', 'no idea']) {
      questions.push(asking.log.at(-1));
      asking.task.answers(nonsense);
      await asking.run();
    }
    expect(new Set(questions).size).toBe(2);
    expect(asking.log).not.toContain('thought.rejected');
    expect(answerOf(asking)).toMatch(/^Not done: /);
  });

  it('leaves an item when the user says to', async () => {
    const asking = await openOfflineTask('schedule a meeting and add a todo to buy milk').run();
    asking.task.answers('never mind');
    const done = await asking.run();
    expect(answerOf(done)).toContain('1 of 2 done');
    expect(answerOf(done)).toContain('Not done: you told me to leave it.');
  });

  it('is not asked when no more questions are allowed; the answer says what is missing', async () => {
    const done = await openOfflineTask('schedule a meeting', { limits: { max_questions: 0 } }).run();
    expect(done.log).toEqual(['plan 1', 'item done', 'done']);
    expect(answerOf(done)).toContain('When is “meeting”?');
  });
});

describe('what it cannot do', () => {
  it('a tool that fails is reported, and not called again with the same input', async () => {
    const done = await openOfflineTask('mark todo 7 done').run();
    expect(done.log).toEqual(['plan 1', 'call todo', 'failed todo done 7', 'item done', 'done']);
    expect(answerOf(done)).toContain('Not done: There is no todo #7.');
  });
});

describe('what the user says during the task', () => {
  it('an action that the user says no to is left, and not asked about again', async () => {
    const asking = await openOfflineTask('add a todo to buy milk', {}, (tool) => ({ ...tool, approval: true })).run();
    expect(asking.task.state).toBe('awaiting_user');
    asking.task.answers('no');
    const done = await asking.run();
    expect(done.task.state).toBe('done');
    expect(done.log.filter((line) => line.startsWith('ok'))).toEqual([]);
    expect(answerOf(done)).toContain('you told me to leave it');
  });

  it('a steer that asks for more becomes an item', async () => {
    const offline = openOfflineTask('add a todo to buy milk');
    offline.task.steers('also add a todo to call mom');
    const done = await offline.run();
    expect(done.log).toContain('ok todo add "buy milk"');
    expect(done.log).toContain('ok todo add "call mom"');
    expect(done.log.filter((line) => line.includes('call mom'))).toHaveLength(1);
  });

  it('a remark that no rule understands is owned up to', async () => {
    const offline = openOfflineTask('add a todo to buy milk', { confirm_plan: true });
    await offline.run();
    offline.task.answers('make it oat milk instead');
    await offline.run();
    offline.task.answers('yes');
    expect(answerOf(await offline.run())).toContain('I could not make use of this: “make it oat milk instead”');
  });

  it('a task that looks first shows its plan, as there is nothing to look at, and does it after a yes', async () => {
    const offline = openOfflineTask('add a todo to buy milk', { confirm_plan: 'after_looking' });
    const asked = await offline.run();
    expect(asked.log.filter((line) => line.startsWith('ok'))).toEqual([]);
    offline.task.answers('yes');
    expect((await offline.run()).log).toContain('ok todo add "buy milk"');
  });

  it('an item that the user dropped stays dropped, and one that was added is done', async () => {
    const offline = openOfflineTask('add a todo to buy milk and add a todo to call mom', { confirm_plan: true });
    await offline.run();
    offline.task.edits({ kind: 'drop', index: 0 }, { kind: 'add', step: 'add a todo to water the plants' });
    offline.task.answers('yes');
    const done = await offline.run();
    expect(done.log.filter((line) => line.startsWith('ok'))).toEqual([
      'ok todo add "call mom"',
      'ok todo add "water the plants"',
    ]);
  });
});
