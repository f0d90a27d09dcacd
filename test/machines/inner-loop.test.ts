import { describe, expect, it } from 'vitest';
import { OBSERVATION_CHARS_MAX, OBSERVATIONS_CHARS_MAX, OBSERVATIONS_KEPT } from '../../contracts/limits.ts';
import { catalogue, openTask } from '../support/machine/task-driver.ts';

describe('A thought that says continue', () => {
  it('is rejected for a tool that no executor has', () => {
    const task = openTask().plans('A').acts('rm -rf', 'shell');
    expect(task.events.at(-1)).toMatchObject({
      type: 'thought.rejected',
      reason: 'next_action.tool: "shell" is not allowed here, only search, todo, code',
    });
  });

  it("is rejected for a tool outside the item's own list", () => {
    const task = openTask()
      .plans({ id: 'a', step: 'A', tools: ['search'] })
      .acts('list', 'todo');
    expect(task.events.at(-1)?.type).toBe('thought.rejected');
    expect(task.acts('milk', 'search').state).toBe('acting');
  });

  it("is rejected for a tool outside its executor's list", () => {
    const task = openTask().plans('[CODE] Fix it').acts('list', 'todo');
    expect(task.events.at(-1)?.type).toBe('thought.rejected');
    expect(task.acts('fix it', 'code').effects).toMatchObject([{ params: { executor: 'coding_agent' } }]);
  });

  it('may not come from an item that has no tool at all', () => {
    expect(openTask().plans({ id: 'a', step: 'A', tools: ['nothing'] }).may).toEqual(['ask_user', 'done']);
    expect(openTask({ catalogue: { ...catalogue, tools: [] } }).plans('A').may).toEqual(['ask_user', 'done']);
  });
});

describe('Observations', () => {
  it(`are cut to ${OBSERVATION_CHARS_MAX} characters, and say so`, () => {
    const result = openTask().plans('A').acts().observes('x'.repeat(20_000)).context.observations[0]!.result;
    expect(result).toHaveLength(OBSERVATION_CHARS_MAX);
    expect(result).toMatch(/… \[cut, 20000 characters in all\]$/);
  });

  it(`are kept up to ${OBSERVATIONS_KEPT}, and then half of them go at once`, () => {
    const task = openTask({ limits: { max_steps: 1_000, max_total_steps: 1_000, max_rounds_per_item: 1_000 } }).plans(
      'A',
    );
    for (let i = 0; i < OBSERVATIONS_KEPT; i += 1) task.acts(`get ${i}`).observes(`todo ${i}`);
    expect(task.context.observations).toHaveLength(OBSERVATIONS_KEPT);
    expect(task.acts('one more').observes('the last').context.observations).toHaveLength(OBSERVATIONS_KEPT / 2);
    expect(task.context.observations.at(-1)?.result).toBe('the last');
  });

  it(`are kept to the last ${OBSERVATIONS_CHARS_MAX} characters of them together, with their inputs`, () => {
    const task = openTask({ limits: { max_steps: 100, max_rounds_per_item: 100 } }).plans('A');
    const result = 'x'.repeat(OBSERVATION_CHARS_MAX);
    for (let i = 10; i < 40; i += 1) task.acts(`get ${i}`).observes(result);
    const fitting = Math.floor(OBSERVATIONS_CHARS_MAX / ('get 10'.length + result.length));
    expect(task.context.observations.map(({ input }) => input)).toEqual(
      Array.from({ length: fitting }, (_, i) => `get ${40 - fitting + i}`),
    );
  });
});

describe('The round limit', () => {
  const afterRounds = (rounds: number) => {
    const task = openTask({ limits: { max_rounds_per_item: 2 } }).plans('A', 'B');
    for (let i = 0; i < rounds; i += 1) task.acts(`get ${i}`).observes('ok');
    return task;
  };

  it('lets the thought only ask or say done after so many rounds on one item', () => {
    expect(afterRounds(1).may).toEqual(['continue', 'ask_user', 'done']);
    expect(afterRounds(2).may).toEqual(['ask_user', 'done']);
    expect(afterRounds(2).acts().events.at(-1)?.type).toBe('thought.rejected');
  });

  it('counts anew on the next item', () => {
    expect(afterRounds(2).finishes().replans('B').may).toContain('continue');
  });

  it('continues counting when a replan keeps the item', () => {
    expect(afterRounds(1).steers('Mind the cat').acts('get 9').observes('ok').replans('A').may).not.toContain(
      'continue',
    );
  });

  it('counts anew after an answer', () => {
    expect(afterRounds(2).asks('Which day?').answers('Monday').replans('A').may).toContain('continue');
  });
});

describe('The same tool, input and result in a row on one item', () => {
  it.each([
    ['another input', (task: ReturnType<typeof openTask>) => task.acts('get 1').observes('milk')],
    ['another result', (task: ReturnType<typeof openTask>) => task.acts().observes('bread')],
    ['another tool', (task: ReturnType<typeof openTask>) => task.acts('list', 'search').observes('milk')],
    ['another item', (task: ReturnType<typeof openTask>) => task.finishes().replans('B').acts().observes('milk')],
  ])('is broken by %s', (_, breaks) => {
    const task = openTask().plans('A').acts().observes('milk').acts().observes('milk');
    breaks(task).acts().observes('milk');
    expect(task.context.consecutive_failures).toBe(0);
  });
});

describe('A thought that ends its item as blocked', () => {
  it('only asks for a replan if there is no item', () => {
    const task = openTask().plans().blocks();
    expect(task.state).toBe('replanning');
    expect(task.context.plan_items).toEqual([]);
  });
});
