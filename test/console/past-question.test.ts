import { describe, expect, it } from 'vitest';
import type { TraceEntry } from '../../contracts/trace.ts';
import { pastQuestion } from '../../src/console/chat/past-question.ts';

const entry = (seq: number, state: string, event: Record<string, unknown>): TraceEntry =>
  ({ seq, state, event, effects: [] }) as unknown as TraceEntry;

const asked = entry(3, 'awaiting_user', {
  type: 'thought.made',
  status: 'ask_user',
  next_action: null,
  question: 'Which shop?',
  options: ['The market', 'The corner shop'],
});
const history = [
  entry(1, 'planning', { type: 'task.opened' }),
  entry(2, 'thinking', { type: 'plan.made' }),
  asked,
  entry(4, 'awaiting_user', { type: 'plan.edited' }),
  entry(5, 'replanning', { type: 'answer.received', text: 'The market' }),
];

describe('the question of an earlier moment', () => {
  it('has its text, its possible answers and the given one', () => {
    const question = {
      seq: 3,
      question: 'Which shop?',
      options: ['The market', 'The corner shop'],
      approval: null,
      answer: 'The market',
    };
    expect(pastQuestion(history, 2)).toEqual(question);
    expect(pastQuestion(history, 3)).toEqual(question);
    expect(pastQuestion(history.slice(0, 3), 2)?.answer).toBeNull();
  });

  it('is absent if the task did not wait', () => {
    expect([-1, 0, 1, 4].map((index) => pastQuestion(history, index))).toEqual([null, null, null, null]);
  });

  it('is the action that waited for a yes', () => {
    const action = { tool: 'todo', input: 'add milk' };
    const waits = entry(6, 'awaiting_user', {
      type: 'thought.made',
      next_action: action,
      question: null,
      approval: { verdict: 'ask', summary: 'Add milk to the list' },
    });
    const decided = entry(7, 'acting', { type: 'decision.received', decision: { type: 'approve' } });
    expect(pastQuestion([...history, waits, decided], 5)).toMatchObject({
      seq: 6,
      approval: { ...action, summary: 'Add milk to the list' },
      answer: null,
    });
  });
});
