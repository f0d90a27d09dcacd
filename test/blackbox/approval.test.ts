import { expect, it } from 'vitest';
import type { Problem } from '../../contracts/http.ts';
import type { MessagesAnswer } from '../support/anthropic/messages.ts';
import { act, answer, done, plan, startService } from '../support/service/service.ts';

/** A service whose todo tool needs a person's yes, and a task that waits for one. */
const asking = async (...then: MessagesAnswer[]) => {
  const script = [plan('Add milk'), act('todo', 'add milk'), ...then];
  const service = await startService(script, { TRIPACT_APPROVE: 'todo' });
  const question = await service.say('s1', 'Put milk on my list');
  return { service, question };
};

it('refuses anything but a decision, and continues waiting', async () => {
  const { service, question } = await asking();
  const refusals: [unknown, string][] = [
    [{ decision: { type: 'edit' } }, 'body.decision.input'],
    [{ decision: { type: 'maybe' } }, 'body.decision.type'],
    [{ decision: { type: 'approve', input: 'add bread' } }, 'body.decision.input'],
    [{ decision: { type: 'reject', reason: ' ' } }, 'body.decision.reason'],
    [{ decision: { type: 'approve' }, input: 'yes' }, 'body.decision'],
    [{}, 'body.input'],
  ];
  for (const [body, path] of refusals) {
    const response = await service.post('/v1/sessions/s1/turns', body);
    const { type, errors = [] } = (await response.json()) as Problem;
    expect([response.status, type]).toEqual([400, '/problems/invalid-request']);
    expect(errors.map((fault) => fault.path)).toContain(path);
  }
  expect(await service.get(`/v1/tasks/${question.task_id}`)).toEqual(question.task);
});

it('refuses an edit that the tool refuses, with the reason, and continues waiting', async () => {
  const { service, question } = await asking(done('Added'), answer('It is on your list.'));
  const edit = (input: string) => service.post('/v1/sessions/s1/turns', { decision: { type: 'edit', input } });
  const refused = await edit('add bread --priority high');
  expect(await refused.json()).toMatchObject({
    type: '/problems/invalid-request',
    status: 400,
    detail: expect.stringContaining('--priority'),
  });
  expect(await service.get(`/v1/tasks/${question.task_id}`)).toEqual(question.task);
  expect(await (await edit('add bread')).json()).toMatchObject({ status: 'answered' });
});

it('stops the start for a name that no tool can have', async () => {
  const start = startService([], { TRIPACT_APPROVE: 'todo,tood' });
  await expect(start).rejects.toMatchObject({
    code: 'CONFIG_INVALID',
    message: expect.stringMatching(/TRIPACT_APPROVE="tood".*todo, view, schedule/),
  });
});
