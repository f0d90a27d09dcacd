import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

const asking = () => openTask().plans('A', 'B').asks('Which day?');

describe('The answer', () => {
  it('joins the clarifications with its question, and the next model call is a replan', () => {
    const task = asking().answers('Monday');
    expect(task.state).toBe('replanning');
    expect(task.effects).toMatchObject([{ type: 'model.replan' }]);
    expect(task.context).toMatchObject({
      clarification_history: [{ question: 'Which day?', text: 'Monday' }],
      awaiting_clarification: false,
      awaiting: null,
      needs_replan: true,
    });
  });

  it('is not taken twice', () => {
    const task = asking().answers('Monday');
    expect(() => task.answers('Tuesday')).toThrow("Task in 'replanning' does not accept 'answer.received'");
  });
});

describe('The question just answered', () => {
  it.each(['Which day?', 'which day', ' WHICH  DAY ?!', '“Which day”…'])(
    'is a failed thought when asked again as %j',
    (again) => {
      const task = asking().answers('Monday').replans('A').asks(again);
      expect(task.state).toBe('thinking');
      expect(task.context).toMatchObject({
        consecutive_failures: 1,
        recent_failures: ['question: the user has just answered this very question'],
      });
    },
  );

  it('may be asked again after another one', () => {
    const task = asking()
      .answers('Monday')
      .replans('A')
      .asks('What time?')
      .answers('Nine')
      .replans('A')
      .asks('Which day?');
    expect(task.state).toBe('awaiting_user');
  });
});
