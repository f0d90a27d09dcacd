import { expect, it } from 'vitest';
import { SessionView } from '../../contracts/http.ts';
import { KEYS, startHttp } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { act, answer, ask as asking, done, plan, startService } from '../support/service/service.ts';

const one = plan('Book a table');

it('sessions are searched by all words of their name, title, inputs and answers, and by how they stand', async () => {
  const said = 'Found "Trattoria" at C:\\maps, 面条 too';
  const service = await startService([
    ...[one, asking('Where?')],
    ...[one, done(), answer(said)],
    ...[one, done(), answer('Nothing found')],
  ]);
  await service.say('open', 'Book a table');
  await service.say('rome', 'Find pasta in Rome, Piazza Ökumene, Москва');
  await service.say('oslo', 'Find PASTA in Oslo');
  await service.say('oslo', '/todo add Call the output question');
  const found = async (query: Record<string, string>) => {
    const { sessions } = await service.get<{ sessions: unknown[] }>(`/v1/sessions?${new URLSearchParams(query)}`);
    return SessionView.strict()
      .array()
      .parse(sessions)
      .map(({ session_id }) => session_id);
  };
  expect(await found({ q: 'pasta' })).toEqual(['oslo', 'rome']);
  expect(await found({ q: 'trattoria find' })).toEqual(['rome']);
  for (const q of ['"Trattoria"', 'c:\\MAPS,', '面条', 'ROME', 'ÖKUMENE', 'ökumene', 'МОСКВА'])
    expect([q, await found({ q })]).toEqual([q, ['rome']]);
  // Names of stored fields are no words of anybody.
  expect(await found({ q: 'output' })).toEqual(['oslo']);
  expect(await found({ q: 'question' })).toEqual(['oslo']);
  expect(await found({ q: 'pasta nowhere' })).toEqual([]);
  expect(await found({ q: '%' })).toEqual([]);
  expect(await found({ q: ' ' })).toEqual(['oslo', 'rome', 'open']);
  const shown = async (q: string) =>
    (await service.get<{ sessions: SessionView[] }>(`/v1/sessions?q=${encodeURIComponent(q)}`)).sessions.map(
      ({ session_id, hit }) => [session_id, hit],
    );
  expect(await shown('pasta')).toEqual([
    ['oslo', 'Find PASTA in Oslo'],
    ['rome', 'Find pasta in Rome, Piazza Ökumene, Москва'],
  ]);
  expect(await shown('trattoria')).toEqual([['rome', said]]);
  // A text that is long before the word begins with a whole word.
  expect(await shown('ökumene')).toEqual([['rome', '… pasta in Rome, Piazza Ökumene, Москва']]);
  // Words of a name alone are in no text.
  expect(await shown('rome')).toEqual([['rome', 'Find pasta in Rome, Piazza Ökumene, Москва']]);
  expect(await shown('open')).toEqual([['open', undefined]]);
  const { sessions } = await service.get<{ sessions: SessionView[] }>('/v1/sessions');
  expect(await found({ since: sessions[0]!.updated_at })).toEqual(['oslo']);
  expect(await found({ since: sessions[1]!.updated_at, q: 'pasta' })).toEqual(['oslo', 'rome']);
  expect(await found({ since: '2999-01-01T00:00:00Z' })).toEqual([]);
  expect(await found({ state: 'awaiting_user' })).toEqual(['open']);
  expect(await found({ state: 'done', q: 'pasta' })).toEqual(['oslo', 'rome']);
  expect(await found({ state: 'failed' })).toEqual([]);
  const first = await service.get<{ sessions: SessionView[]; next: string }>('/v1/sessions?q=find&limit=1');
  const second = await service.get<{ sessions: SessionView[]; next: string }>(
    `/v1/sessions?q=find&limit=1&cursor=${first.next}`,
  );
  expect([first, second].map(({ sessions }) => sessions[0]?.session_id)).toEqual(['oslo', 'rome']);
});

it('words found in a reply are shown without the marks of Markdown', async () => {
  const said = [
    '# Order 1043',
    '',
    'It is **not** finished: the _mug_ has 2 * 3 cracks in `cup_left_side`.',
    '',
    '## What is left',
    '',
    '| what | when |',
    '| :-- | --: |',
    '| *refund* | on 1|2 May |',
  ].join('\n');
  const service = await startService([one, done(), answer(said)]);
  await service.say('order', 'Look the order up');
  const shown = async (q: string) =>
    (await service.get<{ sessions: SessionView[] }>(`/v1/sessions?q=${q}`)).sessions[0]?.hit;
  expect(await shown('1043')).toMatch(/^Order 1043 It is not finished: the mug has 2 \* 3 cracks in `cup_left_side`\./);
  expect(await shown('left')).toContain(' What is left what when refund on 1 2 May');
  expect(await shown('when')).toBe('… is left what when refund on 1 2 May');
});

it('a session says how its last task stands, and what it was forked from', async () => {
  const service = await startService([one, asking('Where?'), answer('In Rome then')]);
  const { task } = await service.say('s1', 'Book a table');
  const s1 = await service.get<SessionView>('/v1/sessions/s1');
  expect(s1).toMatchObject({ last_task: { id: task.id, state: 'awaiting_user', outcome: null }, forked_from: null });
  await service.post(`/v1/tasks/${task.id}/fork`, { input: 'In Rome', session_id: 'other' });
  await expect
    .poll(() => service.get<SessionView>('/v1/sessions/other'))
    .toMatchObject({
      last_task: { state: 'done', outcome: 'completed' },
      forked_from: { session_id: 's1', task_id: task.id, seq: s1.last_seq },
    });
});

it('a session says what its last task cost, also once it has ended', async () => {
  const prices = { currency: 'EUR', models: { m: { input: 1_000, output: 1_000 } } };
  const env = { TRIPACT_MODEL: 'anthropic:m' };
  const service = await startService([one, asking('Where?'), answer('In Rome then')], env, { file: { prices } });
  const cost = async () => (await service.get<SessionView>('/v1/sessions/s1')).last_task?.cost;
  const { task } = await service.say('s1', 'Book a table');
  expect(await cost()).toEqual(task.cost);
  expect(Number(task.cost?.amount)).toBeGreaterThan(0);
  const ended = await service.say('s1', 'In Rome');
  expect(await cost()).toEqual(ended.task.cost);
});

it('sessions are found by a tool that they called, also before they were forked, and by what they cost', async () => {
  const prices = { currency: 'EUR', models: { m: { input: 1_000, output: 1_000 } } };
  const milk = [plan('a'), act('todo', 'add milk'), done(), answer('Added')];
  const service = await startService(
    [...milk, plan('b'), done(), answer('Hello'), done(), answer('Again')],
    { TRIPACT_MODEL: 'anthropic:m' },
    { file: { prices } },
  );
  const found = async (query: Record<string, string>) => {
    const { sessions } = await service.get<{ sessions: SessionView[] }>(`/v1/sessions?${new URLSearchParams(query)}`);
    return sessions.map(({ session_id }) => session_id);
  };
  // Each call costs 0.015.
  const { task } = await service.say('milk', 'Add milk');
  await service.say('hello', 'Say hello');
  expect(await found({ tool: 'todo' })).toEqual(['milk']);
  expect(await found({ tool: 'schedule' })).toEqual([]);
  expect(await service.get<SessionView>('/v1/sessions/milk')).toMatchObject({
    cost: { amount: '0.06', currency: 'EUR' },
  });
  expect(await found({ min_cost: '0.045' })).toEqual(['hello', 'milk']);
  expect(await found({ min_cost: '0.046' })).toEqual(['milk']);
  expect(await found({ min_cost: '0.046', tool: 'todo', q: 'milk' })).toEqual(['milk']);
  expect(await found({ min_cost: '0.061' })).toEqual([]);
  for (const query of ['min_cost=-1', 'min_cost=cheap', 'tool='])
    expect((await fetch(`${service.url}/v1/sessions?${query}`)).status).toBe(400);

  const trace = await service.trace('milk');
  const at = trace.find(({ event }) => event.type === 'observation.recorded')!.seq;
  await service.post(`/v1/tasks/${task.id}/fork`, { at, input: 'And again', session_id: 'other' });
  await expect
    .poll(() => service.get<SessionView>('/v1/sessions/other'))
    .toMatchObject({ last_task: { state: 'done' } });
  expect(await found({ tool: 'todo' })).toEqual(['other', 'milk']);
  // What the fork took over was paid for by its original.
  expect(await found({ min_cost: '0.04' })).toEqual(['hello', 'milk']);
  await service.restart();
  expect(await found({ tool: 'todo', min_cost: '0.06' })).toEqual(['milk']);
});

it('a session is named by its owner alone', async () => {
  const { port, engine } = await startHttp(undefined, { apiKeys: KEYS });
  const [ada, bob] = KEYS.map(({ key }) => ({ authorization: `Bearer ${key}` }));
  await engine.openSession({ owner: KEYS[0]!.owner, session_id: 's1' });
  const rename = (title: unknown, headers = ada!) =>
    ask(port, '/v1/sessions/s1', { method: 'PATCH', body: { title }, headers });
  expect((await rename(' Team\n lunch ')).json).toMatchObject({ session_id: 's1', title: 'Team lunch' });
  expect((await rename('Mine', bob!)).problem).toMatchObject({ status: 404 });
  for (const title of [' ', 'x'.repeat(121), 7]) expect((await rename(title)).status).toBe(400);
  expect((await ask(port, '/v1/sessions?q=LUNCH', { headers: ada! })).json).toMatchObject({
    sessions: [{ title: 'Team lunch' }],
  });
  expect((await ask(port, '/v1/sessions?q=LUNCH', { headers: bob! })).json).toMatchObject({ sessions: [] });
  expect((await rename(null)).json).toMatchObject({ title: null });
});
