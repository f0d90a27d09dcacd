import { describe, expect, it } from 'vitest';
import { parseModelReply } from '../../src/models/reply/parse-model-reply.ts';
import { openTask } from '../support/machine/task-driver.ts';

const usage = { input_tokens: 1, output_tokens: 1 };

const act = (input: unknown) => ({ tool: 'search', input });

describe('The key more_actions of a thought', () => {
  const read = (thought: object, task = openTask().plans('Weather')) => {
    const text = JSON.stringify({ status: 'continue', current_step: 'look', next_action: act('a'), ...thought });
    return parseModelReply('thought', task.context, 3, { text, fault: 'none', usage });
  };

  it('has actions, whose inputs may be objects', () => {
    expect(read({ more_actions: [act('b'), act({ q: 'c' })] })).toMatchObject({
      type: 'thought.made',
      next_action: act('a'),
      more_actions: [act('b'), act('{"q":"c"}')],
    });
  });

  it.each([[null], [[]], [''], [undefined]])('is as absent where it is %j', (more_actions) => {
    expect(read({ more_actions })).not.toHaveProperty('more_actions');
  });

  it('is dropped beside another status', () => {
    const done = { status: 'done', next_action: null, more_actions: [act('b')] };
    expect(read(done)).toMatchObject({ type: 'thought.made', status: 'done' });
    expect(read(done)).not.toHaveProperty('more_actions');
  });

  it.each([
    ['more than seven', Array.from({ length: 8 }, (_, i) => act(String(i)))],
    ['an action without a tool', [{ tool: '', input: 'b' }]],
    ['no list', { tool: 'search', input: 'b' }],
  ])('is rejected with its reason where it has %s', (_, more_actions) => {
    expect(read({ more_actions })).toMatchObject({
      type: 'thought.rejected',
      reason: expect.stringMatching(/^more_actions/),
    });
  });

  it('keeps as many as there are steps for, or none where one call at a time is taken', () => {
    const more_actions = [act('b'), act('c'), act('d')];
    const last = openTask({ limits: { max_steps: 2 } }).plans('Weather');
    expect(read({ more_actions }, last)).toMatchObject({ type: 'thought.made', more_actions: [act('b')] });
    expect(read({ more_actions }, openTask({ chain: false }).plans('Weather'))).not.toHaveProperty('more_actions');
  });
});
