import { describe, expect, it } from 'vitest';
import { PAST_ITEMS_KEPT } from '../../contracts/limits.ts';
import { openTask } from '../support/machine/task-driver.ts';

const item = (id: string, ...depends_on: string[]) => ({ id, step: `Do ${id}`, depends_on });

/** A task whose item `a` was blocked, so that nothing can ever wait for it. */
const blocked = (limits = {}) =>
  openTask({ limits: { max_steps: 50, ...limits } })
    .plans(item('a'), item('b'))
    .blocks();

describe('An item is picked', () => {
  it('also when it depends on an item completed in an earlier plan', () => {
    const task = openTask()
      .plans(item('a'))
      .finishes()
      .replans(item('b'))
      .finishes()
      .replans(item('c', 'a', 'b'));
    expect(task.item?.id).toBe('c');
  });

  it('also when it depends on an item of this plan that only repeats a completed one', () => {
    const again = { id: 'again', step: 'Do a' };
    const task = openTask().plans(item('a')).finishes().replans(again, item('b', 'again'));
    expect(task.item?.id).toBe('b');
    task.finishes().replans(item('c', 'again'));
    expect(task.item).toMatchObject({ id: 'c', depends_on: ['a'] });
    expect(task.finishes().replans(item('d', 'c')).item?.id).toBe('d');
  });

  it('also when what it depends on was completed so long ago that it is forgotten', () => {
    const many = { max_steps: 2_000, max_total_steps: 2_000, max_replans: 1_000 };
    const task = openTask({ limits: many }).plans(item('first'));
    for (let i = 1; i < PAST_ITEMS_KEPT; i += 1) task.finishes().replans(item(`n${i}`));
    task.finishes().replans(item('new'), item('last', 'first')).finishes();
    expect(task.context.past_items).toHaveLength(PAST_ITEMS_KEPT);
    expect(task.context.past_items.map(({ id }) => id)).not.toContain('first');
    expect(task.context.plan_items.at(-1)).toMatchObject({ id: 'last', depends_on: [] });
  });
});

describe('A deadlock', () => {
  it('blocks the items, says why in an observation, and asks for a replan', () => {
    const task = blocked().replans(item('c', 'a'), item('d', 'c'));
    expect(task.context.plan_items.map(({ status }) => status)).toEqual(['blocked', 'blocked']);
    expect(task.context.observations.at(-1)).toMatchObject({
      source: 'deadlock',
      ok: false,
      result: 'Deadlock, no item can run: "Do c" waits for a; "Do d" waits for c',
    });
  });

  it('is forgotten by a resume', () => {
    const task = blocked().replans(item('c', 'a')).replans(item('d', 'c')).resumes();
    expect(task.state).toBe('replanning');
    expect(task.replans(item('e', 'a')).state).toBe('replanning');
  });

  it('ends when a replan takes the blocked item up again', () => {
    const task = blocked().replans(item('a'), item('c', 'a'));
    expect(task.item?.id).toBe('a');
    expect(task.context.abandoned_items).toEqual(['b']);
  });
});

describe('Dependencies that cannot be', () => {
  it.each([
    ['a cycle', [item('a', 'b'), item('b', 'a')], 'plan: the dependencies form a cycle'],
    ['an item that waits for itself', [item('a', 'a')], 'plan: the dependencies form a cycle'],
    ['an unknown id', [item('a', 'z')], 'plan: item "a" depends on "z", which is no item of this task'],
    ['an id used twice', [item('a'), item('a')], 'plan: the id "a" is used twice'],
  ])('fail the contract of plan and replan alike: %s', (_, plan, reason) => {
    expect(
      openTask()
        .plans(...plan)
        .events.at(-1),
    ).toMatchObject({ type: 'plan.rejected', reason });
    const replanned = openTask()
      .plans('A')
      .finishes()
      .replans(...plan);
    expect(replanned.events.at(-1)).toMatchObject({ type: 'replan.rejected', reason });
    expect(replanned.context.plan_items.map(({ step }) => step)).toEqual(['A']);
  });
});
