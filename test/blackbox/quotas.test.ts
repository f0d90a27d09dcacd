import { describe, expect, it } from 'vitest';
import type { QuotaView } from '../../contracts/access.ts';
import type { Problem } from '../../contracts/http.ts';
import { message } from '../support/anthropic/answers.ts';
import { startWithFrontEnd } from '../support/front-ends/as-user.ts';
import { answer, done, plan, type Service, startService } from '../support/service/service.ts';

const MORNING = Date.parse('2026-01-05T09:00:00Z');
const DAY_MS = 86_400_000;

/** Each task makes three calls of 15 tokens. */
const anyTask = { plan: plan('a'), thought: done(), replan: answer('ok') };

const setQuota = async (service: Service, quota: Record<string, unknown>): Promise<void> => {
  const response = await fetch(`${service.url}/v1/quotas/local`, {
    method: 'PATCH',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(quota),
  });
  expect(response.status).toBe(200);
};

const quotaOf = async (service: Service): Promise<QuotaView | null> =>
  (await service.get<{ quota: QuotaView | null }>('/v1/usage')).quota;

/** A service whose clock says what `clock.now` says. */
const openAt = async (now: number) => {
  const clock = { now };
  return { clock, service: await startService(anyTask, {}, { now: () => clock.now }) };
};

describe('tokens a day', () => {
  it('pause a task before the call that has none left, in its language, until the next day', async () => {
    const { clock, service } = await openAt(MORNING);
    expect(await quotaOf(service)).toBe(null);
    await setQuota(service, { tokens_per_day: 30 });
    const turn = await service.say('s1', 'Do it');
    expect(turn).toMatchObject({ status: 'paused', task: { state: 'paused', pause_reason: 'budget_exhausted' } });
    expect(turn.output).toContain(
      'The quota of the day allows no further model call: 30 of the 30 tokens of this day are used; the next one begins at 2026-01-06 00:00 UTC',
    );
    expect(service.model.requests).toHaveLength(2);
    expect((await service.trace('s1')).at(-1)).toMatchObject({ event: { type: 'quota.exhausted' }, state: 'paused' });
    expect(await quotaOf(service)).toEqual({
      turns_per_day: null,
      turns_left: null,
      tokens_per_day: 30,
      tokens_left: 0,
      cost_per_day: null,
      cost_left: null,
      currency: null,
      resets_at: '2026-01-06T00:00:00.000Z',
    });

    expect((await service.say('s1', 'continue')).status).toBe('paused');
    expect((await service.say('s2', '做这件事')).output).toContain(
      '今天的 30 个 token 已用 30 个；2026-01-06 00:00 UTC 起是新的一天',
    );
    await service.restart();
    expect((await service.say('s1', 'continue')).status).toBe('paused');
    expect(service.model.requests).toHaveLength(2);

    clock.now += DAY_MS;
    expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered', output: 'ok' });
  });

  it('pause a task whose tokens the server does not count', async () => {
    const uncounted = { ...anyTask, plan: message(plan('a'), { usage: null }) };
    const service = await startService(uncounted);
    await setQuota(service, { tokens_per_day: 30 });
    const turn = await service.say('s1', 'Do it');
    expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'budget_exhausted' } });
    expect(turn.output).toContain(
      "The quota of the day allows no further model call: it is 30 tokens a day, and the model's server does not count",
    );
    expect(service.model.requests).toHaveLength(1);
    await setQuota(service, { tokens_per_day: null });
    expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered', output: 'ok' });
  });

  it('that are raised let a paused task go on', async () => {
    const { service } = await openAt(MORNING);
    await setQuota(service, { tokens_per_day: 0 });
    expect((await service.say('s1', 'Do it')).status).toBe('paused');
    expect(service.model.requests).toHaveLength(0);
    await setQuota(service, { tokens_per_day: null });
    expect((await service.say('s1', 'continue')).status).toBe('answered');
    expect(await quotaOf(service)).toBe(null);
  });
});

describe('money a day', () => {
  /** Each call costs 0.015: 10 tokens in, 5 out. */
  const prices = { currency: 'EUR', models: { 'claude-sonnet-5-5': { input: 1_000, output: 1_000 } } };

  const openPriced = async (answers: Parameters<typeof startService>[0] = anyTask) => {
    const clock = { now: MORNING };
    return { clock, service: await startService(answers, {}, { now: () => clock.now, file: { prices } }) };
  };

  it('pauses a task before the call that has none left, in its language, until the next day', async () => {
    const { clock, service } = await openPriced();
    await setQuota(service, { cost_per_day: '0.03' });
    const turn = await service.say('s1', 'Do it');
    expect(turn).toMatchObject({ status: 'paused', task: { pause_reason: 'budget_exhausted' } });
    expect(turn.output).toContain(
      'The quota of the day allows no further model call: 0.03 of the 0.03 EUR of this day are spent; the next one begins at 2026-01-06 00:00 UTC',
    );
    expect(service.model.requests).toHaveLength(2);
    expect((await service.trace('s1')).at(-1)).toMatchObject({ event: { type: 'quota.exhausted' }, state: 'paused' });
    expect(await quotaOf(service)).toMatchObject({ cost_per_day: '0.03', cost_left: '0', currency: 'EUR' });
    expect((await service.say('s2', '做这件事')).output).toContain(
      '今天的 0.03 EUR 已花费 0.03；2026-01-06 00:00 UTC 起是新的一天',
    );
    await service.restart();
    expect((await service.say('s1', 'continue')).status).toBe('paused');
    expect(service.model.requests).toHaveLength(2);

    clock.now += DAY_MS;
    expect(await quotaOf(service)).toMatchObject({ cost_left: '0.03' });
    expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered', output: 'ok' });
  });

  it('pauses at the call after one of unknown cost, and the next day goes on', async () => {
    const { clock, service } = await openPriced({ ...anyTask, plan: message(plan('a'), { usage: null }) });
    await setQuota(service, { cost_per_day: '5' });
    const turn = await service.say('s1', 'Do it');
    expect(turn.status).toBe('paused');
    expect(turn.output).toContain('it is 5 EUR a day, and the cost of a call is not known; ask the operator');
    expect(service.model.requests).toHaveLength(1);
    expect(await quotaOf(service)).toMatchObject({ cost_per_day: '5', cost_left: null });
    clock.now += DAY_MS;
    expect(await service.say('s1', 'continue')).toMatchObject({ status: 'answered', output: 'ok' });
  });
});

describe('turns a day', () => {
  it('are refused until midnight, and commands do not count as turns', async () => {
    const { clock, service } = await openAt(MORNING);
    await setQuota(service, { turns_per_day: 2 });
    await service.say('s1', 'One');
    await service.say('s1', '/status');
    await service.say('s2', 'Two');
    const refused = await service.post('/v1/sessions/s3/turns', { input: 'Three' });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, String(15 * 60 * 60)]);
    expect((await refused.json()) as Problem).toMatchObject({ type: '/problems/quota-exhausted' });
    expect((await service.say('s1', '/status')).status).toBe('ran');
    expect(await quotaOf(service)).toMatchObject({ turns_per_day: 2, turns_left: 0, tokens_left: null });
    await service.restart();
    expect((await service.post('/v1/sessions/s1/turns', { input: 'Three' })).status).toBe(429);
    clock.now += DAY_MS;
    expect((await service.say('s1', 'Three')).status).toBe('answered');
  });
});

describe('users of a front end', () => {
  const say = async (url: string, key: string, user: string): Promise<number> =>
    (
      await fetch(`${url}/v1/sessions/s1/turns`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key}`, 'x-tripact-user': user, 'content-type': 'application/json' },
        body: JSON.stringify({ input: 'Do it' }),
      })
    ).status;

  it("have the quota of the front end's key each, and may have one of their own", async () => {
    const { service, key, asOperator } = await startWithFrontEnd(anyTask, { turns_per_day: 1, tokens_per_day: 900 });
    const turn = (user: string) => say(service.url, key, user);
    expect([await turn('ada'), await turn('bob'), await turn('ada')]).toEqual([200, 200, 429]);
    const change = (path: string, turns_per_day: number | null) =>
      asOperator(`/v1/quotas/${path}`, 'PATCH', { turns_per_day });
    expect(await (await change('web~ada', 2)).json()).toEqual({
      turns_per_day: 2,
      tokens_per_day: 900,
      cost_per_day: null,
    });
    expect([await turn('ada'), await turn('ada'), await turn('bob')]).toEqual([200, 429, 429]);
    await change('web', 3);
    expect([await turn('bob'), await turn('ada')]).toEqual([200, 429]);
    // Nothing is a quota, too: that of the front end does not hold for who has it.
    await asOperator('/v1/quotas/web~ada', 'PATCH', { turns_per_day: null, tokens_per_day: null });
    expect([await turn('ada'), await turn('ada')]).toEqual([200, 200]);
  });
});
