import { expect, it } from 'vitest';
import { FactView } from '../../contracts/http.ts';
import { KEYS, startHttp } from '../support/http/http-app.ts';
import { simpleTask } from '../support/http/model-scripts.ts';
import { ask } from '../support/http/send-request.ts';

it('the memory is kept over HTTP, by owner', async () => {
  const { port } = await startHttp(simpleTask(1), { apiKeys: KEYS });
  const [ada, bob] = KEYS.map(({ key }) => ({ authorization: `Bearer ${key}` }));
  const added = await ask(port, '/v1/memory', { body: { text: ' Drinks\n tea ' }, headers: ada! });
  expect(added.status).toBe(201);
  expect(FactView.strict().parse(added.json)).toMatchObject({ id: 1, text: 'Drinks tea' });
  expect((await ask(port, '/v1/memory', { body: { text: 'Drinks tea' }, headers: ada! })).json).toEqual(added.json);
  expect((await ask(port, '/v1/memory', { headers: ada! })).json).toEqual({ facts: [added.json], next: null });
  expect((await ask(port, '/v1/memory', { headers: bob! })).json).toEqual({ facts: [], next: null });
  for (const text of [' ', 'x'.repeat(501), 7])
    expect((await ask(port, '/v1/memory', { body: { text }, headers: ada! })).status).toBe(400);
  const remove = (id: string, headers: Record<string, string>) =>
    ask(port, `/v1/memory/${id}`, { method: 'DELETE', headers });
  for (const id of ['1', '2', 'x'])
    expect((await remove(id, bob!)).problem).toMatchObject({ type: '/problems/fact-not-found', status: 404 });
  expect((await remove('1', ada!)).status).toBe(204);
  expect((await ask(port, '/v1/memory', { headers: ada! })).json).toEqual({ facts: [], next: null });
});
