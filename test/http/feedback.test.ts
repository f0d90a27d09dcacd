import { expect, it } from 'vitest';
import { FeedbackLine } from '../../contracts/feedback.ts';
import { SessionView } from '../../contracts/http.ts';
import { TurnView } from '../../contracts/turn-view.ts';
import { replay } from '../../src/history/replay.ts';
import { answer, ask as asking, done, plan, type Service, startService } from '../support/service/service.ts';

const one = plan('Book a table');
const answered = (text: string) => [one, done(), answer(text)];

const send = (service: Service, turn: string, method: string, body?: unknown): Promise<Response> =>
  fetch(`${service.url}/v1/turns/${turn}/feedback`, {
    method,
    ...(body !== undefined && { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } }),
  });

/** Rates a turn, and returns it as the reply shows it. */
const rate = async (service: Service, turn: string, rating: 'up' | 'down', note?: string): Promise<TurnView> => {
  const response = await send(service, turn, 'PUT', { rating, note });
  expect(response.status).toBe(200);
  return TurnView.parse(await response.json());
};

const problemOf = async (response: Response): Promise<unknown> => {
  const { type, status } = (await response.json()) as { type: string; status: number };
  return [status, type];
};

const linesOf = async (service: Service, path: string): Promise<unknown[]> => {
  const text = await (await fetch(service.url + path)).text();
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));
};

it('feedback on a reply is kept beside its turn, with who gave it and when, until it is taken back', async () => {
  const service = await startService(answered('On Friday'));
  const { id } = await service.say('s1', 'Book a table');
  const rated = await rate(service, id, 'down', 'It was for Saturday\nat eight');
  expect(rated.feedback).toEqual({
    rating: 'down',
    note: 'It was for Saturday\nat eight',
    by: { owner: 'local', via: 'http' },
    at: expect.any(String),
  });
  expect(await service.get(`/v1/turns/${id}`)).toEqual(rated);
  await service.restart();
  expect(await service.get(`/v1/turns/${id}`)).toEqual(rated);
  expect((await service.get<{ turns: unknown[] }>('/v1/sessions/s1/turns')).turns).toEqual([rated]);
  const again = await rate(service, id, 'up');
  expect(again.feedback).toEqual({ rating: 'up', by: rated.feedback?.by, at: expect.any(String) });
  const { feedback: _, ...bare } = again;
  for (let times = 0; times < 2; times += 1) {
    expect((await send(service, id, 'DELETE')).status).toBe(204);
    expect(await service.get(`/v1/turns/${id}`)).toEqual(bare);
  }
});

it('feedback is refused where there is no such turn, no reply yet, or nothing that it says', async () => {
  const service = await startService([one, asking('Where?')]);
  const { id } = await service.say('s1', 'Book a table');
  for (const body of [{}, { rating: 'good' }, { rating: 'up', note: ' ' }, { rating: 'up', note: 'x'.repeat(2_001) }])
    expect(await problemOf(await send(service, id, 'PUT', body))).toEqual([400, '/problems/invalid-request']);
  expect(await problemOf(await send(service, id, 'PUT', { rating: 'up', stars: 5 }))).toEqual([
    400,
    '/problems/invalid-request',
  ]);
  const unknown = await send(service, 'turn_none', 'PUT', { rating: 'up' });
  expect(await problemOf(unknown)).toEqual([404, '/problems/turn-not-found']);
  expect(await problemOf(await send(service, 'turn_none', 'DELETE'))).toEqual([404, '/problems/turn-not-found']);
  // A question is a reply, too.
  expect((await rate(service, id, 'down', 'I said where')).feedback?.note).toBe('I said where');
});

it('a turn without a reply yet cannot be rated', async () => {
  const service = await startService([() => {}]);
  const sent = await service.post('/v1/sessions/s1/turns', { input: 'Book a table' }, { prefer: 'respond-async' });
  const { id } = (await sent.json()) as TurnView;
  for (const method of ['PUT', 'DELETE'])
    expect(await problemOf(await send(service, id, method, method === 'PUT' ? { rating: 'up' } : undefined))).toEqual([
      409,
      '/problems/turn-not-finished',
    ]);
});

it('sessions say how many of their replies were rated, and are found by it', async () => {
  const service = await startService([...answered('One'), ...answered('Two'), ...answered('Three')]);
  const first = await service.say('mixed', 'Book a table');
  const second = await service.say('mixed', 'And another one');
  const third = await service.say('good', 'Book a table');
  const found = async (query: string) => {
    const { sessions } = await service.get<{ sessions: unknown[] }>(`/v1/sessions?${query}`);
    return SessionView.strict()
      .array()
      .parse(sessions)
      .map(({ session_id, feedback }) => [session_id, feedback]);
  };
  expect(await found('feedback=down')).toEqual([]);
  await rate(service, first.id, 'down', 'Too late');
  await rate(service, second.id, 'up');
  await rate(service, third.id, 'up');
  const mixed = ['mixed', { up: 1, down: 1 }];
  expect(await found('feedback=down')).toEqual([mixed]);
  expect(await found('feedback=up')).toEqual([['good', { up: 1, down: 0 }], mixed]);
  expect(await found('feedback=up&q=another')).toEqual([mixed]);
  expect(await service.get('/v1/sessions/mixed')).toMatchObject({ feedback: { up: 1, down: 1 } });
  expect((await fetch(`${service.url}/v1/sessions?feedback=bad`)).status).toBe(400);
  await send(service, first.id, 'DELETE');
  expect(await found('feedback=down')).toEqual([]);
});

it('traces have the feedback behind their entries, and replay with it', async () => {
  const service = await startService([...answered('One'), ...answered('Two')]);
  const first = await service.say('s1', 'Book a table');
  const second = await service.say('s1', 'And another one');
  const entries = await linesOf(service, '/v1/sessions/s1/trace');
  const said = await rate(service, second.id, 'down', 'Too late');
  await rate(service, first.id, 'up');
  const lineOf = ({ id, task_id }: TurnView, rating: string) => ({
    ...{ v: 1, session_id: 's1', task_id, turn_id: id },
    feedback: expect.objectContaining({ rating, by: { owner: 'local', via: 'http' } }),
  });
  const trace = await linesOf(service, '/v1/sessions/s1/trace');
  expect(trace).toEqual([...entries, lineOf(first, 'up'), lineOf(second, 'down')]);
  expect(FeedbackLine.parse(trace.at(-1)).feedback).toEqual(said.feedback);
  expect(await replay(trace)).toEqual({ ok: true, entries: entries.length });
  const task = await linesOf(service, `/v1/tasks/${second.task_id}/trace`);
  expect(task.at(-1)).toEqual(lineOf(second, 'down'));
  expect(task.filter((line) => FeedbackLine.safeParse(line).success)).toHaveLength(1);
  // Whoever catches up reads entries alone.
  expect(await linesOf(service, '/v1/sessions/s1/trace?after=0')).toEqual(entries);
  const replayed = await fetch(`${service.url}/v1/replay`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-ndjson' },
    body: trace.map((line) => JSON.stringify(line)).join('\n'),
  });
  expect(await replayed.json()).toEqual({ ok: true, entries: entries.length });
  await expect(replay([...entries, { v: 1, feedback: { rating: 'up' } }])).rejects.toMatchObject({
    code: 'TRACE_NOT_READABLE',
  });
});

it('a fork does not take the feedback of its original, and a rerun shows it', async () => {
  const service = await startService([...answered('One'), ...answered('Two'), ...answered('Two')]);
  const { id, task } = await service.say('s1', 'Book a table');
  await rate(service, id, 'down', 'Too late');
  const forked = await service.post(`/v1/tasks/${task.id}/fork`, { at: 1, session_id: 'other' });
  expect(forked.status).toBe(201);
  await service.engine.wait('local', ((await forked.json()) as TurnView).id, new AbortController().signal);
  expect(await service.get('/v1/sessions/other')).not.toHaveProperty('feedback');
  const { turns } = await service.get<{ turns: TurnView[] }>('/v1/sessions/other/turns');
  expect(turns.map(({ feedback }) => feedback)).toEqual([undefined]);
  const begun = await service.post('/v1/reruns', { task_ids: [task.id] });
  const { id: rerun } = (await begun.json()) as { id: string };
  await expect
    .poll(() => service.get(`/v1/reruns/${rerun}`))
    .toMatchObject({ state: 'done', report: { tasks: [{ feedback: [{ rating: 'down', note: 'Too late' }] }] } });
});

it('metrics count ratings that were given, and not those that were said again', async () => {
  const service = await startService(answered('One'));
  const { id } = await service.say('s1', 'Book a table');
  const counts = async () => {
    const text = await (await fetch(`${service.url}/metrics`)).text();
    return text.split('\n').filter((line) => line.startsWith('tripact_feedback_total'));
  };
  expect(await counts()).toEqual(['tripact_feedback_total{rating="up"} 0', 'tripact_feedback_total{rating="down"} 0']);
  await rate(service, id, 'up');
  await rate(service, id, 'down');
  await rate(service, id, 'down', 'Too late');
  expect(await counts()).toEqual(['tripact_feedback_total{rating="up"} 1', 'tripact_feedback_total{rating="down"} 1']);
});
