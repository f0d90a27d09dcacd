import { describe, expect, it } from 'vitest';
import type { Call } from '../../contracts/calls.ts';
import type { TaskEvent } from '../../contracts/event.ts';
import { takenAtOnce } from '../../machines/call-meaning.ts';
import { EventNotAccepted } from '../../machines/step.ts';
import { catalogue, openTask } from '../support/machine/task-driver.ts';

const working = (max_steps = 60) => openTask({ limits: { max_steps } }).plans('Weather');

const reasonOf = (task: ReturnType<typeof openTask>): string => {
  const event = task.events.at(-1);
  return event?.type === 'thought.rejected' ? event.reason : '';
};

describe('Reads side by side', () => {
  it('are one effect with all calls, in the order asked, and one state', () => {
    const task = working().reads(['Oslo', 'Rome', 'Bern']);
    expect(task.state).toBe('acting');
    expect(task.effects).toEqual([
      {
        effect: 3,
        type: 'tool.batch',
        params: {
          calls: ['Oslo', 'Rome', 'Bern'].map((input) => ({ tool: 'search', input })),
          item_id: '1',
          executor: 'default',
        },
      },
    ]);
  });

  it('are a step each, an observation each and an entry of the log each, with their places', () => {
    const task = working().reads(['Oslo', 'Rome']).observesAll('4 °C', '15 °C');
    expect(task.state).toBe('thinking');
    expect(task.context).toMatchObject({ step_count: 3, successful_steps: 2, failed_steps: 0 });
    expect(task.context.observations).toMatchObject([
      { input: 'Oslo', result: '4 °C', effect: 3, at: 0 },
      { input: 'Rome', result: '15 °C', effect: 3, at: 1 },
    ]);
    expect(task.context.log?.slice(-2)).toEqual([
      { kind: 'action', effect: 3, at: 0 },
      { kind: 'action', effect: 3, at: 1 },
    ]);
  });

  it('are rejected beside a tool that writes, and it beside them', () => {
    const reason = 'more_actions: "todo" has to be called alone; beside others only search may be called';
    const [todo, search] = [
      { tool: 'todo', input: 'list' },
      { tool: 'search', input: 'a' },
    ];
    expect(reasonOf(working().says({ status: 'continue', next_action: search!, more_actions: [todo!] }))).toBe(reason);
    expect(reasonOf(working().says({ status: 'continue', next_action: todo!, more_actions: [search!] }))).toBe(reason);
  });

  it.each([
    ['needs approval', { approval: true }],
    ['writes, whatever else the catalogue says', { writes: true }],
    ['is not said to stand beside others, as in histories of earlier builds', { side_by_side: undefined }],
  ])('are rejected with a tool that %s', (_, more) => {
    const tools = catalogue.tools.map((tool) => (tool.name === 'search' ? { ...tool, ...more } : tool));
    const task = openTask({ catalogue: { ...catalogue, tools } })
      .plans('Weather')
      .reads(['Oslo', 'Rome']);
    expect(reasonOf(task)).toContain('"search" has to be called alone');
  });

  it("are rejected with a tool outside the item's own list", () => {
    const tools = [...catalogue.tools, { name: 'look', writes: false, side_by_side: true }];
    const task = openTask({ catalogue: { ...catalogue, tools } }).plans({ id: 'a', step: 'A', tools: ['search'] });
    task.says({
      status: 'continue',
      next_action: { tool: 'search', input: 'a' },
      more_actions: [{ tool: 'look', input: 'b' }],
    });
    expect(reasonOf(task)).toContain('"look" has to be called alone; beside others only search may be called');
  });

  it('are rejected where the status is another than continue', () => {
    const task = working().says({ status: 'done', more_actions: [{ tool: 'search', input: 'a' }] });
    expect(reasonOf(task)).toBe('more_actions: only status "continue" has them');
  });

  it('are 8 at most', () => {
    const cities = Array.from({ length: 9 }, (_, i) => `city ${i}`);
    expect(working().reads(cities.slice(1)).effects).toMatchObject([{ type: 'tool.batch' }]);
    expect(reasonOf(working().reads(cities))).toBe('more_actions: at most 8 actions at once now');
  });

  it('are no more than the steps left have room for, so that the count ends one above the limit at most', () => {
    const task = working(3).reads(['a', 'b', 'c']).observesAll('1', '2', '3');
    expect(task.context).toMatchObject({ step_count: 4, pause_reason: 'step_limit' });
    expect(reasonOf(working(3).reads(['a', 'b', 'c', 'd']))).toBe('more_actions: at most 3 actions at once now');
    expect(reasonOf(working(1).reads(['a', 'b']))).toBe('more_actions: at most 1 action at once now');
  });

  it('are absent if a turn asked for one call at a time', () => {
    const task = openTask({ chain: false }).plans('Weather').reads(['a', 'b']);
    expect(reasonOf(task)).toBe('more_actions: at most 1 action at once now');
  });

  it('are the first calls of a message that may stand beside each other, up to one that may not', () => {
    const { context } = working();
    const search = (q: string): Call => ({ name: 'search', input: { q } });
    const todo: Call = { name: 'todo', input: { input: 'list' } };
    const taken = (...calls: Call[]): number => takenAtOnce(context, calls).length;
    expect(taken(search('a'), search('b'), todo, search('c'))).toBe(2);
    expect(taken(todo, search('a'))).toBe(1);
    expect(taken(search('a'), { name: 'search', input: {}, unreadable: 'q=' }, search('b'))).toBe(1);
    expect(taken(search('a'), { name: 'search', input: { input: ' ' } }, search('b'))).toBe(1);
    expect(taken(...Array.from({ length: 12 }, (_, i) => search(String(i))))).toBe(8);
  });

  it('that fail together are one failure, which names each; those that succeed are kept', () => {
    const task = working().reads(['a', 'b', 'c']).observesAll('!no a', 'b', '!no c');
    expect(task.context).toMatchObject({ consecutive_failures: 1, successful_steps: 1, failed_steps: 2 });
    expect(task.context.recent_failures).toEqual([expect.stringMatching(/no a.*no c/)]);
    expect(task.context.observations).toHaveLength(3);
  });

  it('count as failures in a row only while none of them succeeds', () => {
    const failed = working().reads(['a', 'b']).observesAll('!1', '!2').reads(['c', 'd']).observesAll('!3', '!4');
    expect(failed.context.consecutive_failures).toBe(2);
    expect(failed.reads(['e', 'f']).observesAll('!5', '6').context.consecutive_failures).toBe(1);
    expect(failed.reads(['g', 'h']).observesAll('7', '8').context.consecutive_failures).toBe(0);
  });

  it('that go round in a circle count as a failure', () => {
    const task = working();
    for (let i = 0; i < 3; i += 1) task.reads(['a', 'b']).observesAll('1', '2');
    expect(task.context).toMatchObject({ repeats: 3, consecutive_failures: 1 });
    expect(task.reads(['a', 'b']).observesAll('1', 'other').context).toMatchObject({ repeats: 1 });
  });

  it('are answered by an observation of each action, in the order asked, and by nothing else', () => {
    const task = working().reads(['a', 'b']);
    const of = (...inputs: string[]): TaskEvent => ({
      type: 'observations.recorded',
      effect: 3,
      observations: inputs.map((input) => ({ tool: 'search', input, ok: true, result: '' })),
    });
    for (const event of [of('a'), of('b', 'a'), of('a', 'b', 'c'), of()])
      expect(() => task.send(event)).toThrow(EventNotAccepted);
    const one = { tool: 'search', input: 'a', ok: true, result: '' };
    expect(() => task.send({ type: 'observation.recorded', effect: 3, ...one })).toThrow(EventNotAccepted);
    expect(() =>
      working()
        .acts('a', 'search')
        .send({ type: 'observations.recorded', effect: 3, observations: [one] }),
    ).toThrow(EventNotAccepted);
    expect(task.send(of('a', 'b')).state).toBe('thinking');
  });
});
