import { describe, expect, it } from 'vitest';
import { openTask } from '../support/machine/task-driver.ts';

const TEXT = 'Mind the cat';

describe('A steer', () => {
  it('while planning joins the clarifications, and a replan follows the plan', () => {
    const task = openTask().steers(TEXT);
    expect(task.state).toBe('planning');
    expect(task.effects).toEqual([]);
    expect(task.context.clarification_history).toEqual([{ question: null, text: TEXT }]);
    expect(task.plans('A').state).toBe('replanning');
  });

  it('while replanning keeps a replan that says done from ending the task', () => {
    const task = openTask().plans('A').finishes().steers(TEXT).concludes('Done');
    expect(task.state).toBe('replanning');
    expect(task.context).toMatchObject({ pending_final_response: null, needs_replan: true });
    expect(task.concludes('Done, and the cat is well').context.pending_final_response).toBe(
      'Done, and the cat is well',
    );
    expect(task.state).toBe('done');
  });

  it('with a shape while replanning drops an answer that was asked for without one', () => {
    const task = openTask().plans('A').finishes();
    const answer_schema = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] };
    task.send({ type: 'steer.received', turn_id: 'turn-9', text: TEXT, answer_schema });
    expect(task.concludes('Done').state).toBe('replanning');
    expect(() => task.concludes('Done')).toThrow('answer: status "done" requires one that meets its schema');
  });

  it.each([
    ['awaiting_user', () => openTask().plans('A').asks('Which day?')],
    ['paused', () => openTask().losesModel()],
  ])('is not accepted in %s, where nothing runs', (state, begin) => {
    expect(() => begin().steers(TEXT)).toThrow(`Task in '${state}' does not accept 'steer.received'`);
  });
});
