import { expect, it } from 'vitest';
import type { LimitView } from '../../contracts/limit-views.ts';
import { LOCAL_RECEIVER } from '../support/service/receiver.ts';
import { startService } from '../support/service/service.ts';

it('counts what a command takes beside its texts: its row, the key and the address that are stored with it', async () => {
  const service = await startService([], LOCAL_RECEIVER);
  const stored = async (): Promise<number> => {
    const { limits } = await service.get<{ limits: LimitView[] }>('/v1/limits');
    return limits.find(({ name }) => name === 'stored_bytes')?.used ?? Number.NaN;
  };
  await service.say('s1', '/status');
  const before = await stored();
  await service.say('s1', '/status');
  const plain = (await stored()) - before;
  expect(plain).toBeGreaterThan(250);
  const address = `http://127.0.0.1:9/${'a'.repeat(2_000)}`;
  const body = { input: '/status', callback_url: address };
  expect((await service.post('/v1/sessions/s1/turns', body, { 'idempotency-key': 'k'.repeat(255) })).status).toBe(200);
  const withMore = (await stored()) - before - plain;
  expect(withMore - plain).toBe(address.length + 2 * 255);
  expect((await fetch(`${service.url}/v1/sessions/s1`, { method: 'DELETE' })).status).toBe(204);
  expect(await stored()).toBe(0);
});
