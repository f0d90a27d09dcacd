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

  it('while thinking lets the round end, and then replans', () => {
    const task = openTask().plans('A').steers(TEXT);
    expect(task.state).toBe('thinking');
    expect(task.acts().state).toBe('acting');
    expect(task.observes('milk').state).toBe('replanning');
    expect(task.context.needs_replan).toBe(true);
  });

  it('while acting lets the tool end, keeps its observation, and then replans', () => {
    const task = openTask().plans('A').acts().steers(TEXT);
    expect(task.state).toBe('acting');
    expect(task.observes('milk').state).toBe('replanning');
    expect(task.context.observations).toHaveLength(1);
  });

  it('while replanning leads to another replan, since the first was asked before it came', () => {
    const task = openTask().plans('A').finishes().steers(TEXT);
    expect(task.state).toBe('replanning');
    expect(task.replans('B').state).toBe('replanning');
    expect(task.context.plan_items.map(({ step }) => step)).toEqual(['B']);
    expect(task.replans('C').state).toBe('thinking');
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

  it('while verifying leads to a replan instead of the answer', () => {
    const task = openTask({ verifies: true })
      .plans('A')
      .acts()
      .observes('ok')
      .finishes()
      .concludes('Done')
      .steers(TEXT);
    expect(task.state).toBe('verifying');
    expect(task.verifies(true).state).toBe('replanning');
    expect(task.context.pending_final_response).toBe(null);
    expect(task.concludes('Done again').verifies(true).state).toBe('done');
  });

  it('is not lost when the task pauses before it is handled', () => {
    const task = openTask().plans('A').finishes().steers(TEXT).losesModel().resumes();
    expect(task.state).toBe('replanning');
    expect(task.context.clarification_history.map(({ text }) => text)).toEqual([TEXT]);
    expect(task.concludes('Done').state).toBe('done');
  });

  it.each([
    ['awaiting_user', () => openTask().plans('A').asks('Which day?')],
    ['paused', () => openTask().losesModel()],
  ])('is not accepted in %s, where nothing runs', (state, begin) => {
    expect(() => begin().steers(TEXT)).toThrow(`Task in '${state}' does not accept 'steer.received'`);
  });
});
