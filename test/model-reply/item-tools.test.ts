import { describe, expect, it } from 'vitest';
import { parseModelReply } from '../../src/models/reply/parse-model-reply.ts';
import { catalogue, openTask } from '../support/machine/task-driver.ts';

const NONE = { input_tokens: 0, output_tokens: 0 };

const garden = {
  ...catalogue,
  tools: [...catalogue.tools, { name: 'garden__weed', writes: true }, { name: 'Mow', writes: true }],
};
const { context } = openTask({ catalogue: garden });

/** The event that a plan of one item with these tools leads to. */
const planned = (tools: string[], item: object = {}, language: 'en' | 'zh' = 'en') => {
  const text = JSON.stringify({ status: 'planned', plan: [{ id: 'a', step: 'Look after it', tools, ...item }] });
  return parseModelReply('plan', { ...context, language }, 1, {
    text,
    fault: 'none',
    usage: NONE,
  });
};

describe('The tools of an item', () => {
  it.each([
    [['todo'], ['todo']],
    [['Todo'], ['todo']],
    [['functions.todo'], ['todo']],
    [['mcp__home__TODO', 'todo'], ['todo']],
    [
      ['default_api:search', 'mow'],
      ['search', 'Mow'],
    ],
    [['weed'], ['garden__weed']],
    [['tools/weed'], ['garden__weed']],
  ])('%j are %j', (tools, names) => {
    expect(planned(tools)).toMatchObject({ type: 'plan.made', plan: [{ tools: names }] });
  });

  it.each([[['watering_can']], [['to']], [['todo2', 'rm']]])('%j are refused, with the existing names', (tools) => {
    expect(planned(tools)).toMatchObject({
      type: 'plan.rejected',
      reason: `plan: item "a" names no tool that it can use (${tools.join(', ')}); there are search, todo, code, garden__weed, Mow`,
    });
  });

  it('are refused if its executor has none of them, in a replan and in Chinese, too', () => {
    expect(planned(['todo'], { executor: 'coding_agent' })).toMatchObject({
      reason: 'plan: item "a" names no tool that it can use (todo); there are code',
    });
    expect(planned(['浇水'], {}, 'zh')).toMatchObject({
      reason: expect.stringMatching(/步骤“a”没有可用的工具（浇水）；现有工具：/),
    });
    const text = JSON.stringify({ status: 'replanned', plan: [{ id: 'b', step: 'B', tools: ['can'] }] });
    const after = openTask().plans('A').finishes().context;
    expect(parseModelReply('replan', after, 4, { text, fault: 'none', usage: NONE }).type).toBe('replan.rejected');
  });

  it('are taken as they are of an item that stays: they are gone since', () => {
    const item = { id: 'b', step: 'B', tools: ['can'] };
    const text = JSON.stringify({ status: 'replanned', plan: [item] });
    const after = openTask().plans('A', item).finishes().context;
    expect(parseModelReply('replan', after, 4, { text, fault: 'none', usage: NONE }).type).toBe('replan.made');
  });

  it('are taken with a note where some of them are there', () => {
    expect(planned(['todo', 'rake'])).toMatchObject({ type: 'plan.made', notes: ['item a: no tool "rake"'] });
  });
});
