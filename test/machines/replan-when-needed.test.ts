import { describe, expect, it } from 'vitest';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

const sparing = (): DrivenTask => openTask({ replan: 'when_needed' });

/** The model calls of a task so far: each of its events that is a model's answer. */
const calls = ({ events }: DrivenTask): string[] => events.map(({ type }) => type.split('.')[0]!);

describe('A task that replans when needed', () => {
  it('picks the next item without a replan after one that completed', () => {
    const task = sparing().plans('A', 'B').acts('x', 'search').observes('found').finishes();
    expect(task.state).toBe('thinking');
    expect(task.item).toMatchObject({ step: 'B' });
    expect(task.context).toMatchObject({ needs_replan: false, replans: 0 });
  });

  it('replans at the end of the plan, which alone answers', () => {
    const task = sparing().plans('A', 'B').finishes().finishes();
    expect(task.state).toBe('replanning');
    expect(task.concludes('Both done').state).toBe('done');
    expect(calls(task)).toEqual(['plan', 'thought', 'thought', 'replan']);
  });

  it('answers a greeting with two calls: the conclusion of an empty plan is the answer', () => {
    const task = sparing().plans().finishes('Hello!');
    expect(task.state).toBe('done');
    expect(task.context).toMatchObject({ pending_final_response: 'Hello!', outcome: 'completed' });
    expect(calls(task)).toEqual(['plan', 'thought']);
    expect(sparing().plans().finishes().state).toBe('replanning');
  });

  it.each<[what: string, happens: (task: DrivenTask) => DrivenTask]>([
    ['a tool failed', (task) => task.acts('x', 'search').observes('down', false)],
    ['an answer of the model was refused', (task) => task.garbles()],
    ['the user said something', (task) => task.steers('Hurry')],
    ['the user answered', (task) => task.asks('Which?').answers('This').replans('A', 'B').steers('Hurry')],
  ])('replans after an item where %s since the last replan', (_, happens) => {
    const task = happens(sparing().plans('A', 'B'));
    expect((task.state === 'replanning' ? task : task.finishes()).state).toBe('replanning');
  });

  it('replans after an item that was given up', () => {
    expect(sparing().plans('A', 'B').blocks().state).toBe('replanning');
  });

  it('goes on without a replan once a replan came after the failure', () => {
    const task = sparing().plans('A', 'B').acts('x', 'search').observes('down', false).finishes().replans('B', 'C');
    expect(task.finishes().state).toBe('thinking');
  });
});
