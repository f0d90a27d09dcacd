import { expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { answer, done, plan, startService } from '../support/service/service.ts';

const KEYS = { ann: 'ann-key-0123456789', bob: 'bob-key-0123456789' };

/** Turns that are sent at once. */
const TURNS = 1_000;

/** Turns of one owner that may run. */
const RUNNING = 600;

it('under load every turn is answered or refused with when to try again, other owners are served, and nothing taken in is lost', async () => {
  const script = { plan: plan('note it'), thought: done('noted'), replan: answer('Done') };
  const env = { TRIPACT_API_KEYS: `ann:${KEYS.ann},bob:${KEYS.bob}` };
  const service = await startService(script, env, { file: { limits: { running_tasks: RUNNING } }, httpLimits: {} });
  const send = (owner: keyof typeof KEYS, session: string, headers: Record<string, string> = {}) =>
    service.post(`/v1/sessions/${session}/turns`, { input: 'Note it' }, { 'x-api-key': KEYS[owner], ...headers });
  const greedy = Array.from({ length: TURNS }, (_, n) => send('ann', `s${n}`, { prefer: 'respond-async' }));
  const modest = Array.from({ length: 20 }, (_, n) => send('bob', `s${n}`));
  const [replies, served] = await Promise.all([Promise.all(greedy), Promise.all(modest)]);
  expect(new Set(served.map(({ status }) => status))).toEqual(new Set([200]));
  const taken = replies.filter(({ status }) => status === 202);
  const refused = replies.filter(({ status }) => status !== 202);
  expect(taken.length).toBeGreaterThan(0);
  for (const { status, headers } of refused) {
    expect([429, 503]).toContain(status);
    expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  }
  const turns = await Promise.all(taken.map((reply) => reply.json() as Promise<TurnView>));
  await service.restart();
  const state = async ({ id }: TurnView): Promise<string> => {
    const response = await fetch(`${service.url}/v1/turns/${id}`, { headers: { 'x-api-key': KEYS.ann } });
    return response.ok ? ((await response.json()) as TurnView).status : String(response.status);
  };
  for (const turn of turns) await expect.poll(() => state(turn), { timeout: 120_000 }).toBe('answered');
});
