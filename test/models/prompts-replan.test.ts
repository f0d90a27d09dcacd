import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';
import { EXECUTORS, readPrompt, requestFor, TOOLS } from './prompts-request.ts';

const party = () => openTask({ goal: 'Plan the party', language: 'en' });

describe('the replan prompt', () => {
  const worked = () =>
    party()
      .plans('Find a hall', 'Invite people', 'Buy cake')
      .acts('hall', 'search')
      .observes('Town hall, 50 seats')
      .steers('no cake, please')
      .finishes('Town hall');

  it('names every key and every status of its contract', () => {
    const { system } = readPrompt(requestFor('replan', worked().context));
    for (const key of ['status', 'plan', 'response', 'outcome', 'id', 'step', 'depends_on', 'executor', 'expected'])
      expect(system).toContain(`"${key}"`);
    for (const word of ['replanned', 'done', 'completed', 'failed']) expect(system).toContain(`"${word}"`);
    for (const { name } of [...TOOLS, ...EXECUTORS]) expect(system).toContain(`- ${name}: `);
  });

  it('shows what is done, what is left, what was observed, and what the user said since', () => {
    const { messages } = readPrompt(requestFor('replan', worked().context));
    expect(messages.map(({ role }) => role)).toEqual(['user']);
    const text = messages[0]?.content ?? '';
    expect(text).toContain('<steer>\nno cake, please\n</steer>');
    expect(text).toMatch(/\[completed\].*Find a hall\n<untrusted source="item:1">\nTown hall\n<\/untrusted>/);
    expect(text).toMatch(/Remaining plan:\n<plan>\n.*Invite people\n.*Buy cake\n<\/plan>/);
    expect(text).toMatch(/<untrusted source="tool:search"[^>]*>\nTown hall, 50 seats\n<\/untrusted>/);
    expect(text).toContain('3 of 20');
    expect(text.indexOf('<goal>')).toBeLessThan(text.indexOf('<steer>'));
  });

  it('cuts a long result and marks the cut, and shows the newest 20 observations only', () => {
    let task = openTask({ limits: { max_steps: 100, max_rounds_per_item: 50 } }).plans('Find a hall');
    for (let i = 1; i <= 22; i += 1) task = task.acts(`try ${i}`).observes(`result ${i} ${'x'.repeat(3_000)}`);
    const text = readPrompt(requestFor('replan', task.context)).messages[0]?.content;
    expect(text).not.toContain('result 2 ');
    expect(text).toContain('result 3 ');
    expect(text).toContain('result 22 ');
    expect(text).toContain('characters in all]');
  });

  it('lists what can never be waited for', () => {
    const { context } = party().plans({ id: 'a', step: 'Find a hall' }, 'Buy cake').blocks();
    expect(readPrompt(requestFor('replan', context)).messages[0]?.content).toContain(
      'Given up for good, so nothing may wait for them: "a"',
    );
  });
});
