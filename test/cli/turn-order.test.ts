import { describe, expect, it } from 'vitest';
import { createTurnOrder } from '../../src/cli/chat.ts';

/** A turn order, and what is shown of it. */
const openOrder = () => {
  const order = createTurnOrder();
  const shown: string[] = [];
  const open = (isAnswer = false) => {
    const turn = order.open({ isAnswer });
    return { ...turn, show: (text: string) => turn.show(() => shown.push(text)) };
  };
  return { open, shown };
};

describe('turns of a session that are followed at once', () => {
  it('are shown in the order they were sent in, whatever arrives first', () => {
    const { open, shown } = openOrder();
    const [first, second] = [open(), open()];
    second.begin();
    second.show('second begins');
    second.show('second is done');
    second.end();
    first.begin();
    first.show('first is done');
    expect(shown).toEqual(['first is done']);
    first.end();
    expect(shown).toEqual(['first is done', 'second begins', 'second is done']);
  });

  it('show a command at once', () => {
    const { open, shown } = openOrder();
    open().begin();
    const command = open();
    command.show('0 todos');
    command.end();
    expect(shown).toEqual(['0 todos']);
  });

  it('show what an answer leads to before what waits in the queue', () => {
    const { open, shown } = openOrder();
    const queued = open();
    const answer = open(true);
    answer.begin();
    answer.show('the answer is taken');
    expect(shown).toEqual(['the answer is taken']);
    answer.end();
    queued.begin();
    queued.show('the next begins');
    expect(shown).toEqual(['the answer is taken', 'the next begins']);
  });
});
