import { expect, it } from 'vitest';
import { GoalView } from '../../contracts/goal.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { answer, ask, plan, type Service, startService } from '../support/service/service.ts';

const MORNING = Date.parse('2026-03-02T08:00:00Z');
const MINUTE = 60_000;
const NEWS = { session_id: 'news', when: 'every day 9am', goal: 'Read\nthe news', timezone: 'UTC' };

const goalTurns = async (service: Service): Promise<TurnView[]> =>
  (await service.get<{ turns: TurnView[] }>('/v1/sessions/news/turns')).turns.filter(({ kind }) => kind === 'goal');

it('a goal is put on the schedule over HTTP, asks in the inbox at its time, and comes late once after the service was down', async () => {
  let now = MORNING;
  const script = { plan: plan('read'), thought: ask('Which paper?'), replan: answer('Read it') };
  const service = await startService(script, { TRIPACT_TIMEZONE: 'UTC' }, { now: () => now });
  const post = (body: unknown) => service.post('/v1/goals', body);
  for (const wrong of [
    { when: 'soon' },
    { when: '2026-03-01 09:00' },
    { interval_minutes: 5 },
    { goal: ' ' },
    { x: 1 },
  ])
    expect([wrong, (await post({ ...NEWS, ...wrong })).status]).toEqual([wrong, 400]);
  expect((await fetch(`${service.url}/v1/sessions/news`)).status).toBe(404);

  const added = await post(NEWS);
  expect(added.status).toBe(201);
  const goal = GoalView.strict().parse(await added.json());
  expect(goal).toMatchObject({ id: 1, goal: 'Read\nthe news', due_at: '2026-03-02T09:00:00.000Z', rule: 'FREQ=DAILY' });
  expect(await service.get('/v1/goals')).toEqual({ goals: [goal], next: null });
  expect(await service.say('news', '/schedule goals')).toMatchObject({
    output: expect.stringContaining('#1 Read the news'),
  });

  now += 60 * MINUTE;
  // A change has the service read its clock.
  await post({ ...NEWS, when: '2027-01-01 09:00' });
  await expect
    .poll(() => service.get('/v1/tasks?state=awaiting_user'))
    .toMatchObject({ tasks: [{ question: 'Which paper?', session_id: 'news' }] });
  await expect.poll(() => goalTurns(service)).toMatchObject([{ status: 'asking' }]);
  const [turn] = await goalTurns(service);
  expect(await service.get('/v1/goals/1')).toMatchObject({
    last_turn_id: turn!.id,
    due_at: '2026-03-03T09:00:00.000Z',
  });
  await service.say('news', 'The red one');

  now += 72 * 60 * MINUTE;
  await service.restart();
  await expect.poll(() => goalTurns(service)).toHaveLength(2);
  const due = (await service.trace('news')).flatMap(({ event }) => (event.type === 'goal.due' ? [event.late] : []));
  expect(due).toEqual([false, true]);

  const remove = async (id: number) => (await fetch(`${service.url}/v1/goals/${id}`, { method: 'DELETE' })).status;
  expect([await remove(1), await remove(1), await remove(2)]).toEqual([204, 404, 204]);
  expect((await fetch(`${service.url}/v1/goals/1`)).status).toBe(404);
  expect(await service.get('/v1/goals')).toEqual({ goals: [], next: null });
});
