import { expect, it } from 'vitest';
import { GoalTimes, GoalView } from '../../contracts/goal.ts';
import { type Service, startService } from '../support/service/service.ts';

const REQUEST = { session_id: 'news', when: '2031-05-01 09:00', goal: 'Read the news', timezone: 'Europe/Berlin' };

const add = async (service: Service, body: object = REQUEST): Promise<GoalView> => {
  const response = await service.post('/v1/goals', body);
  expect(response.status).toBe(201);
  return GoalView.parse(await response.json());
};

const edit = (service: Service, id: number, body: object): Promise<Response> =>
  fetch(`${service.url}/v1/goals/${id}`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

const detailOf = async (response: Response): Promise<unknown> => {
  expect(response.status).toBe(400);
  return ((await response.json()) as { detail: string }).detail;
};

it('a goal is edited in part: its words alone, its times alone, or where its turns are posted', async () => {
  const service = await startService([], { TRIPACT_CALLBACK_HOSTS: '127.0.0.1' });
  const made = await add(service);
  const shown = () => service.get(`/v1/goals/${made.id}`);
  const words = await edit(service, made.id, { goal: 'Read the paper' });
  expect(await words.json()).toEqual({ ...made, goal: 'Read the paper' });
  const url = 'http://127.0.0.1:9/';
  expect((await edit(service, made.id, { callback_url: url })).status).toBe(200);
  // New times are in the zone of the ones before, unless another one is named.
  expect((await edit(service, made.id, { when: '2031-06-01 10:00', interval_minutes: 1_440, times: 5 })).status).toBe(
    200,
  );
  const edited = {
    ...made,
    ...{ goal: 'Read the paper', callback_url: url },
    ...{ due_at: '2031-06-01T08:00:00.000Z', interval_minutes: 1_440, times: 5 },
  };
  expect(await shown()).toEqual(edited);
  expect((await edit(service, made.id, { callback_url: null })).status).toBe(200);
  expect(await shown()).toEqual({ ...edited, callback_url: null });
  await service.restart();
  expect(await shown()).toEqual({ ...edited, callback_url: null });
});

it('an edit that is no goal changes nothing, and says why in the language of its words', async () => {
  const service = await startService([]);
  const made = await add(service);
  expect(await detailOf(await edit(service, made.id, { when: 'on some day', goal: 'Rest' }))).toContain('on some day');
  expect(await detailOf(await edit(service, made.id, { when: '某一天早上', goal: 'Rest' }))).toMatch(
    /\p{Script=Han}{4}/u,
  );
  expect(await detailOf(await edit(service, made.id, { when: '2001-01-01 09:00' }))).toMatch(/passed|past/);
  expect(await detailOf(await edit(service, made.id, { times: 2 }))).toContain('when');
  for (const body of [
    { goal: ' ' },
    { goal: 'x'.repeat(4_001) },
    { session_id: 'other' },
    { callback_url: 'ftp://x/' },
  ])
    expect((await edit(service, made.id, body)).status).toBe(400);
  expect((await edit(service, 99, { goal: 'Rest' })).status).toBe(404);
  expect(await service.get(`/v1/goals/${made.id}`)).toEqual(made);
});

it('the times of a goal are previewed without storing anything', async () => {
  const service = await startService([]);
  const preview = async (query: Record<string, string>) =>
    fetch(`${service.url}/v1/goals/preview?${new URLSearchParams({ timezone: 'Europe/Berlin', ...query })}`);
  const times = async (query: Record<string, string>) => GoalTimes.parse(await (await preview(query)).json());
  expect(await times({ when: '2031-05-01 09:00' })).toEqual({
    next: ['2031-05-01T07:00:00.000Z'],
    ...{ timezone: 'Europe/Berlin', rule: null, interval_minutes: null, times: 1 },
  });
  const daily = { when: '2031-05-01 09:00', interval_minutes: '1440' };
  expect((await times(daily)).next).toEqual(['01', '02', '03'].map((day) => `2031-05-${day}T07:00:00.000Z`));
  expect((await times({ ...daily, times: '2' })).next).toHaveLength(2);
  const { next, rule } = await times({ when: 'every Monday 9am' });
  expect([rule, ...next.map((at) => new Date(at).getUTCDay())]).toEqual([expect.stringContaining('MO'), 1, 1, 1]);
  expect(await detailOf(await preview({ when: 'sometimes' }))).toContain('sometimes');
  expect(await detailOf(await preview({ when: '2001-01-01 09:00' }))).toMatch(/passed|past/);
  expect((await preview({ ...daily, times: '0' })).status).toBe(400);
  expect(await service.get('/v1/goals')).toEqual({ goals: [], next: null });
  expect(await service.get('/v1/sessions')).toMatchObject({ sessions: [] });
});
