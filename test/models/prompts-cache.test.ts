import { describe, expect, it } from 'vitest';
import { promptFor } from '../../src/models/prompts/prompt.ts';
import type { Prompt } from '../../src/models/prompts/prompt-text.ts';
import { openTask } from '../support/machine/task-driver.ts';
import { requestFor, TOOLS } from './prompts-request.ts';

/** The text before each mark, the marked piece included, as the bytes that a provider would look up. */
const prefixes = ({ system, messages }: Prompt): string[] => {
  const pieces = [
    ...system.map((part) => ({ role: 'system', ...part })),
    ...messages.flatMap(({ role, content }) => content.map((part) => ({ role, ...part }))),
  ];
  return pieces.flatMap(({ isStable }, i) =>
    isStable ? [JSON.stringify(pieces.slice(0, i + 1).map(({ role, text }) => [role, text]))] : [],
  );
};

const LATER = Date.UTC(2026, 4, 1);
const CONVERSATION = [{ said: 'When do I meet Anna?', answered: 'On Friday.' }];
const goals = { en: 'Plan the party', zh: '办一个聚会' };

const task = (language: 'en' | 'zh') =>
  openTask({ goal: goals[language], language, conversation: CONVERSATION }).plans('Find a hall', 'Invite people');

/** The task before each of its thoughts: four on one item, then one on the next. */
const rounds = (language: 'en' | 'zh') => {
  const driven = task(language);
  return [
    driven.context,
    driven.acts('hall', 'search').observes('Town hall, 50 seats').context,
    driven.acts('price', 'search').observes('no such page', false).context,
    driven.acts('rent', 'search').observes('200 a day').context,
    driven.finishes('Town hall').replans('Invite people').context,
  ];
};

describe.each(['en', 'zh'] as const)('what a provider may keep of the prompts (%s)', (language) => {
  it('is the same byte for byte in every thought of a task, whatever happened and whenever it is asked', () => {
    const asked = rounds(language).map((context, i) =>
      prefixes(promptFor(requestFor('thought', context, { now: LATER + i * 3_600_000 }))),
    );
    const [rules, tools, goal] = asked[0]!;
    for (const marked of asked) expect(marked.slice(0, 3)).toEqual([rules, tools, goal]);
    expect(goal).toContain(goals[language]);
    expect(goal).toContain('When do I meet Anna?');
  });

  it('keeps its rules when the next item has other tools', () => {
    const [first] = rounds(language);
    const all = prefixes(promptFor(requestFor('thought', first!)));
    const narrow = prefixes(promptFor(requestFor('thought', first!, { tools: TOOLS.slice(0, 1) })));
    expect(narrow[0]).toBe(all[0]);
    expect(narrow[1]).not.toBe(all[1]);
  });

  it('grows with the observations of an item, each call beginning with all that the call before had marked', () => {
    const contexts = rounds(language).slice(0, 4);
    const marked = contexts.map((context) => prefixes(promptFor(requestFor('thought', context))));
    expect(marked.map(({ length }) => length)).toEqual([3, 3, 4, 4]);
    expect(marked[3]![3]!.startsWith(marked[2]![3]!.slice(0, -1))).toBe(true);
  });

  it('is the same in every replan of a task', () => {
    const [, , , fourth, nextItem] = rounds(language);
    const before = prefixes(promptFor(requestFor('replan', fourth!)));
    expect(before).toHaveLength(2);
    expect(prefixes(promptFor(requestFor('replan', nextItem!, { now: LATER })))).toEqual(before);
    expect(before.at(-1)).toContain(goals[language]);
  });

  it('is for a plan what every task shares', () => {
    const one = prefixes(promptFor(requestFor('plan', task(language).context)));
    const other = prefixes(promptFor(requestFor('plan', openTask({ goal: 'Another', language }).context)));
    expect(one).toHaveLength(1);
    expect(other).toEqual(one);
  });
});
