import { pino } from 'pino';
import { expect, it } from 'vitest';
import { createPostCallback } from '../../src/runtime/outbox/post-callback.ts';

it('says why a post failed also where a name has several addresses, of which none answers', async () => {
  const post = createPostCallback({
    fetch: async () => {
      throw new AggregateError([new Error('connect ECONNREFUSED 192.0.2.1:80'), new Error('connect ETIMEDOUT')]);
    },
    ...{ webhookKeys: () => [], now: () => 1, stopping: new AbortController().signal, log: pino({ level: 'silent' }) },
  });
  const callback = {
    ...({ id: 'turn_1', reader: 'local', owner: 'local', event: 'turn.finished', url: 'http://two.example/' } as const),
    ...{ data: {}, turn_id: null, created_at: 1, attempts: 0 },
  };
  expect(await post('http://two.example/', callback)).toEqual({
    outcome: 'unreachable',
    error: 'connect ECONNREFUSED 192.0.2.1:80',
  });
});
