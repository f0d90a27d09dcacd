import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTripact } from 'tripact';
import { expectTrace, recordTrace, scriptedModel } from 'tripact/testing';
import { expect, it, onTestFinished } from 'vitest';
import { createChat } from '../chat.ts';
import config from '../tripact.config.ts';

it('tells when the shop is open', async () => {
  const model = scriptedModel([
    [{ name: 'opening_hours', input: { day: 'saturday' } }],
    [{ name: 'finish', input: { response: 'On Saturday from 10 to 14.' } }],
  ]);
  const { replies, trace } = await recordTrace({ config, model, inputs: ['Are you open on Saturday?'] });
  expect(replies).toEqual(['On Saturday from 10 to 14.']);
  expect(model.requests.at(-1)?.task.observations).toMatchObject([{ ok: true, result: '10:00 to 14:00' }]);
  await expectTrace(trace).toReplay();
});

it('answers on its page, and keeps visitors apart', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'chat-'));
  const settings = { TRIPACT_MODEL: 'offline', TRIPACT_DATA_DIR: folder, TRIPACT_LOG_LEVEL: 'fatal' };
  const tripact = await createTripact({ config: { ...config, settings }, env: {} });
  const chat = createChat(tripact).listen(0, '127.0.0.1');
  onTestFinished(async () => {
    chat.close();
    await tripact.close();
    rmSync(folder, { recursive: true });
  });
  await once(chat, 'listening');
  const url = `http://127.0.0.1:${(chat.address() as AddressInfo).port}`;
  const say = (body: string, cookie = ''): Promise<Response> =>
    fetch(`${url}/chat`, { method: 'POST', body, headers: { cookie } });
  expect(await (await fetch(url)).text()).toContain('<title>Chat</title>');
  const first = await say('Add a todo: buy tea');
  expect(await first.text()).toContain('buy tea');
  const [cookie = ''] = (first.headers.get('set-cookie') ?? '').split(';');
  expect(await (await say('/todo list', cookie)).text()).toContain('buy tea');
  // A reloaded page shows the conversation.
  const seen = async (as: string) => (await fetch(`${url}/chat`, { headers: { cookie: as } })).json();
  expect(await seen(cookie)).toMatchObject([
    { input: 'Add a todo: buy tea', output: expect.stringContaining('buy tea') },
    { input: '/todo list' },
  ]);
  expect(await seen('')).toEqual([]);
  expect(await (await say('/todo list')).text()).not.toContain('buy tea');
  expect((await say('')).status).toBe(400);
});
