import { describe, expect, it } from 'vitest';
import type { TaskContext } from '../../contracts/task.ts';
import type { Prompt } from '../../src/models/port.ts';
import { promptFor } from '../../src/models/prompt/prompt.ts';
import type { Voice } from '../../src/models/prompt/rules.ts';
import { openTask } from '../support/machine/task-driver.ts';
import { requestFor } from './prompts-request.ts';

const LATER = Date.UTC(2026, 4, 1);

/** All of a prompt up to its last mark, as the bytes that a provider would look up. */
const lasting = ({ tools, system, user }: Prompt): string => {
  const marked = user.findLastIndex(({ isStable }) => isStable);
  const texts = [...system, ...user.slice(0, marked + 1)].map(({ text }) => text);
  return `${JSON.stringify(tools)}\n${texts.join('')}`;
};

const task = () =>
  openTask({ goal: 'Plan the party', conversation: [{ said: 'When do I meet Anna?', answered: 'On Friday.' }] });

/** The task at each call of a model, with what is due: over two items, a failure, a rejection, a question and a steer. */
const calls = (): ['plan' | 'thought' | 'replan', TaskContext][] => {
  const driven = task();
  return [
    ['plan', driven.context],
    ['thought', driven.plans('Find a hall', 'Invite people').context],
    ['thought', driven.acts('hall', 'search').observes('Town hall, 50 seats').context],
    ['thought', driven.acts('price', 'search').observes('no such page', false).context],
    ['thought', driven.garbles('no JSON object').context],
    ['replan', driven.finishes('Town hall').context],
    ['thought', driven.replans('Invite people').context],
    ['replan', driven.asks('Whom?').answers('Everybody').context],
    ['thought', driven.replans('Invite people').context],
    ['replan', driven.steers('no cake').finishes('Invited').context],
  ];
};

describe.each(['native', 'text'] as const)('what a provider may keep of the prompts (%s)', (voice: Voice) => {
  it('only grows, across items and contracts, whatever happened and whenever it is asked', () => {
    const asked = calls().map(([contract, context], i) =>
      lasting(promptFor(requestFor(contract, context, { now: LATER + i * 3_600_000 }), voice)),
    );
    for (const [i, text] of asked.slice(1).entries()) expect(text.startsWith(asked[i]!)).toBe(true);
    expect(asked.at(-1)!.length).toBeGreaterThan(asked[0]!.length);
  });

  it('begins alike for every task of a deployment', () => {
    const { tools, system } = promptFor(requestFor('plan', task().context), voice);
    expect(promptFor(requestFor('replan', openTask({ goal: 'Another' }).context), voice)).toMatchObject({
      tools,
      system,
    });
  });
});
