import { describe, expect, it } from 'vitest';
import { type DrivenTask, openTask } from '../support/machine/task-driver.ts';

/** A task whose one tool call went so, and whose replan says that it is done. */
const concluded = (tool = 'todo', ok = true, verifies = true): DrivenTask =>
  openTask({ verifies })
    .plans('A')
    .acts('add milk', tool)
    .observes('result', ok)
    .finishes()
    .concludes('Milk is on the list');

describe('When replan says done', () => {
  it('the verifiers run before the answer, if a tool that writes ran', () => {
    const task = concluded();
    expect(task.state).toBe('verifying');
    expect(task.effects).toMatchObject([{ type: 'verify.run', params: { attempt: 1 } }]);
    expect(task.verifies(true).state).toBe('done');
    expect(task.context.pending_final_response).toBe('Milk is on the list');
    expect(task.context.needs_replan).toBe(false);
  });

  it('the verifiers run also if the tool that writes failed: it may have written half of it', () => {
    expect(concluded('todo', false).state).toBe('verifying');
  });

  it('the verifiers do not run again where nothing was written since they passed', () => {
    const again = concluded().steers('Say it in rhyme').verifies(true);
    expect(again.state).toBe('replanning');
    expect(again.concludes('Silk and milk').state).toBe('done');
  });

  it.each([
    ['todo', 'verifying'],
    ['search', 'done'],
  ])('they do where %s ran since', (tool, state) => {
    const task = concluded().steers('And bread').verifies(true).replans('B').acts('add bread', tool).observes('added');
    expect(task.finishes().concludes('Both').state).toBe(state);
  });

  it('they do after a failure, also where nothing was written: somebody else may have corrected it', () => {
    expect(concluded().verifies(false).concludes('Done').state).toBe('verifying');
  });

  it('the answer goes straight out if only reading tools ran', () => {
    expect(concluded('search').state).toBe('done');
  });

  it('the answer goes straight out if there is no verifier', () => {
    expect(concluded('todo', true, false).state).toBe('done');
  });
});

describe('A failed verification', () => {
  it('becomes an observation; the answer is not given', () => {
    const { context } = concluded().verifies(false, '1 test failed');
    expect(context).toMatchObject({ pending_final_response: null, verify_failures: 1 });
    expect(context.observations.at(-1)).toMatchObject({ source: 'verification', ok: false, result: '1 test failed' });
  });

  it('is forgotten by a resume: there are as many tries again', () => {
    const task = concluded().verifies(false).concludes('Done').verifies(false).resumes();
    expect(task.state).toBe('replanning');
    expect(task.concludes('Done').verifies(false).state).toBe('replanning');
  });
});
