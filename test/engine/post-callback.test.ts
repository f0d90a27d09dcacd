import { createHmac } from 'node:crypto';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createPostCallback } from '../../src/runtime/outbox/post-callback.ts';

const parts = {
  webhookKeys: () => [],
  now: () => 1,
  stopping: new AbortController().signal,
  log: pino({ level: 'silent' }),
};

const callback = {
  id: 'turn_1',
  reader: 'local',
  owner: 'local',
  event: 'turn.finished' as const,
  url: 'http://two.example/',
  data: { output: 'It is 20 °C' },
  turn_id: null,
  created_at: 1,
  attempts: 0,
};

it('says why a post failed also where a name has several addresses, of which none answers', async () => {
  const post = createPostCallback({
    ...parts,
    fetch: async () => {
      throw new AggregateError([new Error('connect ECONNREFUSED 192.0.2.1:80'), new Error('connect ETIMEDOUT')]);
    },
  });
  expect(await post('http://two.example/', callback)).toEqual({
    outcome: 'unreachable',
    error: 'connect ECONNREFUSED 192.0.2.1:80',
  });
});

it('signs the id, the time in seconds and the bytes of the body by each key', async () => {
  const keys = [Buffer.alloc(24, 1), Buffer.alloc(24, 2)];
  const posted: RequestInit[] = [];
  const post = createPostCallback({
    ...parts,
    webhookKeys: () => keys,
    now: () => 1_614_265_330_999,
    fetch: async (_url, init) => {
      posted.push(init);
      return new Response();
    },
  });
  await post('http://two.example/', callback);
  const signatures = keys.map((key) =>
    createHmac('sha256', key).update('turn_1.1614265330.{"output":"It is 20 °C"}').digest('base64'),
  );
  expect(posted[0]?.headers).toEqual({
    'content-type': 'application/json',
    'idempotency-key': 'turn_1',
    'webhook-id': 'turn_1',
    'webhook-timestamp': '1614265330',
    'webhook-signature': signatures.map((signature) => `v1,${signature}`).join(' '),
  });
});
