import { describe, expect, it } from 'vitest';
import type { TaskEvent } from '../../contracts/event.ts';
import { type Change, createPaths, type Guard, type Move } from '../../machines/known-paths.ts';
import { openTask } from '../support/machine/task-driver.ts';

const { context: task } = openTask().plans('A').task;
const event: TaskEvent = { type: 'task.cancelled', turn_id: null };
const isSteered: Guard = (scope) => scope.task.steered;
const countUp: Change = (scope) => ({ ...scope.task, rounds: scope.task.rounds + 1 });
const unsteered: Move[] = [{ asked: isSteered, answer: false }, { changed: countUp }];

describe('The known paths', () => {
  it('know none at first', () => {
    expect(createPaths().follow('thinking', { task, event })).toBe(null);
  });

  it('lead again where they once led, for another task too', () => {
    const paths = createPaths();
    paths.learn('thinking', unsteered, 'acting');
    expect(paths.follow('thinking', { task: { ...task, rounds: 6 }, event })).toMatchObject({
      state: 'acting',
      task: { rounds: 7 },
    });
  });

  it('give nothing at a turning that nobody took, and go both ways once both are known', () => {
    const paths = createPaths();
    const steered = { task: { ...task, steered: true }, event };
    paths.learn('thinking', unsteered, 'acting');
    expect(paths.follow('thinking', steered)).toBe(null);
    paths.learn('thinking', [{ asked: isSteered, answer: true }], 'replanning');
    expect(paths.follow('thinking', steered)?.state).toBe('replanning');
    expect(paths.follow('thinking', { task, event })?.state).toBe('acting');
  });

  it('know where there is no transition', () => {
    const paths = createPaths();
    paths.learn('done', [], null);
    expect(paths.follow('done', { task, event })).toEqual({ state: null, task, effects: [] });
  });

  it('ask each guard about the task as the changes before it left it', () => {
    const paths = createPaths();
    const isSecondRound: Guard = (scope) => scope.task.rounds === task.rounds + 1;
    paths.learn('thinking', [{ changed: countUp }, { asked: isSecondRound, answer: true }], 'acting');
    expect(paths.follow('thinking', { task, event })?.state).toBe('acting');
  });

  it('leave the task that they are given as it was', () => {
    const paths = createPaths();
    paths.learn('thinking', unsteered, 'acting');
    const before = structuredClone(task);
    paths.follow('thinking', { task, event });
    expect(task).toEqual(before);
  });
});
