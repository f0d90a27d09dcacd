import { expect, it } from 'vitest';
import type { TaskView } from '../../contracts/turn-view.ts';
import { answer, done, plan, replanned, type Service, startService } from '../support/service/service.ts';

const patch = async (service: Service, taskId: string | null, edits: unknown) => {
  const response = await fetch(`${service.url}/v1/tasks/${taskId}/plan`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ edits }),
  });
  return { status: response.status, body: (await response.json()) as TaskView & { type: string; detail: string } };
};

const stepsOf = ({ plan: items }: Pick<TaskView, 'plan'>): string[] =>
  items.map(({ step, status }) => (status === 'not_started' ? step : `${step} (${status})`));

it('edits the plan of a task that waits, all edits or none, and the task continues with it', async () => {
  const service = await startService([
    plan('Book a train', 'Book a hotel'),
    replanned('Pack'),
    done(),
    answer('Packed'),
  ]);
  const { task_id } = await service.say('s1', 'Prepare the trip', { confirm_plan: true });
  const edited = await patch(service, task_id, [
    { kind: 'add', step: 'Pack', index: 0 },
    { kind: 'move', from: 0, to: 2 },
    { kind: 'drop', index: 1 },
    { kind: 'mark', index: 0, status: 'completed' },
    { kind: 'add', step: ' Go ' },
  ]);
  expect(edited.status).toBe(200);
  expect(stepsOf(edited.body)).toEqual(['Book a train (completed)', 'Book a hotel (dropped)', 'Pack', 'Go']);
  expect(await service.get(`/v1/tasks/${task_id}`)).toEqual(edited.body);
  const question = expect.stringMatching(/^This is the plan, 2 items:\n1\. Pack\n2\. Go\n/);
  expect(await service.get('/v1/tasks')).toMatchObject({ tasks: [{ session_id: 's1', question, task: edited.body }] });
  const refused = await patch(service, task_id, [
    { kind: 'drop', index: 0 },
    { kind: 'drop', index: 9 },
  ]);
  expect([refused.status, refused.body.type]).toEqual([400, '/problems/invalid-request']);
  expect(refused.body.detail).toContain('Edit 1');
  expect(await service.get(`/v1/tasks/${task_id}`)).toEqual(edited.body);
  expect((await service.say('s1', 'yes')).output).toContain('Packed');
  const events = (await service.trace('s1')).map(({ event }) => event.type);
  expect(events.filter((type) => type === 'plan.edited')).toHaveLength(1);
});
