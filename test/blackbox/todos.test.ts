import { expect, it } from 'vitest';
import { ScheduleEventView, TodoView } from '../../contracts/http.ts';
import { startService } from '../support/service/service.ts';

interface Listed {
  todos: unknown[];
  events: unknown[];
  next: string | null;
}

it('todos and schedule are there as JSON, by page, for their owner alone', async () => {
  const service = await startService([], {
    TRIPACT_TIMEZONE: 'UTC',
    TRIPACT_API_KEYS: 'ada:key-of-ada-0123456789,bob:key-of-bob-0123456789',
  });
  const as = (owner: string) => {
    const headers = { 'x-api-key': `key-of-${owner}-0123456789`, 'content-type': 'application/json' };
    return {
      say: (input: string) =>
        fetch(`${service.url}/v1/sessions/s1/turns`, {
          method: 'POST',
          headers,
          body: JSON.stringify({ input, timezone: 'UTC' }),
        }),
      get: async (path: string) => (await (await fetch(service.url + path, { headers })).json()) as Listed,
    };
  };
  const ada = as('ada');
  for (const input of [
    '/todo add milk --tag home --priority 2',
    '/todo add call --due "2030-01-02 15:00"',
    '/todo add pay --due 2030-01-03',
    '/todo done 1',
    '/schedule add "2030-01-02 09:00" stand-up --duration 15 --interval 1440 --times -1',
    '/schedule add "2030-01-05 20:00" dinner',
  ])
    expect(await (await ada.say(input)).json()).not.toHaveProperty('ok');

  const first = await ada.get('/v1/todos?limit=2');
  const second = await ada.get(`/v1/todos?limit=2&cursor=${first.next}`);
  expect(
    TodoView.strict()
      .array()
      .parse([...first.todos, ...second.todos]),
  ).toEqual([
    {
      id: 1,
      text: 'milk',
      done: true,
      done_at: expect.any(String),
      due_at: null,
      due_date: null,
      priority: 2,
      tags: ['home'],
    },
    expect.objectContaining({ id: 2, done: false, done_at: null, due_at: '2030-01-02T15:00:00.000Z', due_date: null }),
    expect.objectContaining({ id: 3, due_at: '2030-01-03T00:00:00.000Z', due_date: '2030-01-03' }),
  ]);
  expect(second.next).toBeNull();

  const { events, next } = await ada.get('/v1/schedule');
  expect(ScheduleEventView.strict().array().parse(events)).toEqual([
    {
      id: 1,
      title: 'stand-up',
      start: '2030-01-02T09:00:00.000Z',
      end: '2030-01-02T09:15:00.000Z',
      timezone: 'UTC',
      rule: null,
      interval_minutes: 1_440,
      times: null,
      repeats: true,
    },
    {
      id: 2,
      title: 'dinner',
      start: '2030-01-05T20:00:00.000Z',
      end: '2030-01-05T21:00:00.000Z',
      timezone: 'UTC',
      rule: null,
      interval_minutes: null,
      times: 1,
      repeats: false,
    },
  ]);
  expect(next).toBeNull();
  expect(await as('bob').get('/v1/todos')).toEqual({ todos: [], next: null });
  expect(await as('bob').get('/v1/schedule')).toEqual({ events: [], next: null });
});
