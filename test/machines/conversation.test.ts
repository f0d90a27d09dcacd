import { describe, expect, it } from 'vitest';
import { conversationOf } from '../../machines/context.ts';
import { openTask } from '../support/machine/task-driver.ts';

const turn = (n: number, chars = 1) => ({ said: `q${n}`.padEnd(chars, '.'), answered: `a${n}`.padEnd(chars, '.') });

describe('conversationOf', () => {
  it('keeps the last ten turns, oldest first', () => {
    const turns = Array.from({ length: 12 }, (_, n) => turn(n));
    expect(conversationOf(turns).map(({ said }) => said)).toEqual(turns.slice(2).map(({ said }) => said));
  });

  it('cuts a long text and says so', () => {
    const [cut] = conversationOf([{ said: 'x'.repeat(5_000), answered: 'short' }]);
    expect(cut?.said).toHaveLength(2_000);
    expect(cut?.said).toContain('5000 characters in all');
    expect(cut?.answered).toBe('short');
  });

  it('leaves the oldest turns out where all are too long together', () => {
    const turns = [turn(0, 2_000), turn(1, 1_500), turn(2, 2_000)];
    expect(conversationOf(turns)).toEqual(turns.slice(1));
  });
});

it('a task keeps the conversation that it was opened with', () => {
  const conversation = [turn(1)];
  expect(openTask({ conversation }).plans('A').context.conversation).toEqual(conversation);
});
