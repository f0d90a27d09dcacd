import { once } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Engine } from '../../src/runtime/port.ts';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask, readAnswer, send } from '../support/http/send-request.ts';
import { someSession, stubEngine } from '../support/http/stub-engine.ts';

const [ada, , ops] = KEYS.map(({ key }) => key) as [string, string, string];

/** An HTTP app on an engine that lists no session of anybody. */
const open = (apiKeys = KEYS) =>
  startHttpOn(stubEngine({ sessions: async () => ({ items: [], next: null }) }), { apiKeys });

const bearer = (key: string): Record<string, string> => ({ authorization: `Bearer ${key}` });

const post = (port: number, body: unknown, key = ops) =>
  ask(port, '/v1/keys', {
    method: 'POST',
    headers: { ...bearer(key), 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });

describe('a key of /v1/keys', () => {
  it('works at once, is shown once, and stops at once', async () => {
    const { port } = await open();
    const made = await post(port, { owner: 'carol' });
    expect(made.status).toBe(201);
    const { key, id } = made.json as { key: string; id: string };
    expect(key).toMatch(/^tripact_[A-Za-z0-9_-]{32}$/);
    expect(made.json).toMatchObject({ owner: 'carol', role: 'user', expires_at: null, last_used_at: null, roles: [] });
    expect((await ask(port, '/v1/sessions', { headers: bearer(key) })).status).toBe(200);
    const listed = await ask(port, '/v1/keys', { headers: bearer(ops) });
    expect(listed.json).toMatchObject({ keys: [{ id, owner: 'carol', role: 'user' }], next: null });
    expect(listed.text).not.toContain(key);
    expect((await ask(port, `/v1/keys/${id}`, { method: 'DELETE', headers: bearer(ops) })).status).toBe(204);
    expect((await ask(port, '/v1/sessions', { headers: bearer(key) })).status).toBe(401);
    const again = await ask(port, `/v1/keys/${id}`, { method: 'DELETE', headers: bearer(ops) });
    expect([again.status, again.problem.type]).toEqual([404, '/problems/key-not-found']);
  });

  it('ends when it expires', async () => {
    const { port } = await open();
    const at = Date.now() + 3_600_000;
    const expires_at = new Date(at).toISOString();
    const { key } = (await post(port, { owner: 'carol', expires_at })).json as { key: string };
    expect((await ask(port, '/v1/sessions', { headers: bearer(key) })).status).toBe(200);
    vi.useFakeTimers({ toFake: ['Date'], now: at });
    onTestFinished(() => void vi.useRealTimers());
    expect((await ask(port, '/v1/sessions', { headers: bearer(key) })).status).toBe(401);
  });

  it('reads no further on a stream once it is revoked; others do', async () => {
    const endless = async function* (_owner: string, _id: string, _after: number, signal: AbortSignal) {
      await once(signal, 'abort');
      yield* [];
    };
    const engine = stubEngine({ session: async () => someSession(0), followLive: endless as Engine['followLive'] });
    const { port, keys } = await startHttpOn(engine, { apiKeys: KEYS, limits: { heartbeatMs: 20 } });
    const { key, id } = (await post(port, { owner: 'carol' })).json as { key: string; id: string };
    const open = (headers: Record<string, string>) => send(port, '/v1/sessions/s1/events', { headers });
    const [revoked, kept] = await Promise.all([open(bearer(key)), open(bearer(ada))]);
    await keys.revoke(id);
    await expect(readAnswer(revoked)).rejects.toThrow('aborted');
    expect(kept.destroyed).toBe(false);
    kept.destroy();
  });

  it('is refused for no owner, no role, or a key of its caller', async () => {
    const { port } = await open();
    for (const body of [{ owner: 'a b' }, { owner: '' }, {}, { owner: 'x', role: 'root' }, { owner: 'x', key: 'mine' }])
      expect((await post(port, body)).status).toBe(400);
  });
});

describe('a service that is open to all', () => {
  it('makes no first key for whoever comes first', async () => {
    const { port } = await open([]);
    expect((await post(port, { owner: 'mallory', role: 'operator' })).problem.type).toBe('/problems/operator-required');
    expect((await ask(port, '/v1/sessions')).status).toBe(200);
  });

  it('is closed by the first key that is added beside it, and stays closed when that is gone', async () => {
    const { port, keys } = await open([]);
    const record = { id: 'key_1', hash: 'f'.repeat(64), owner: 'ada', role: 'user' } as const;
    await keys.add({ ...record, roles: [], created_at: Date.now(), expires_at: null, last_used_at: null });
    expect((await ask(port, '/v1/sessions')).status).toBe(401);
    await keys.revoke('key_1');
    expect((await ask(port, '/v1/sessions')).status).toBe(401);
    // Callers with keys come from pages of any origin, so these are no longer kept out by their Host.
    expect((await ask(port, '/healthz', { headers: { host: 'tripact.example' } })).status).toBe(200);
  });
});

describe('a quota', () => {
  it('is changed with a key or by its owner, listed with what is used, and for operators', async () => {
    const engine = stubEngine({});
    const { port } = await startHttpOn(engine, { apiKeys: KEYS });
    await post(port, { owner: 'carol', turns_per_day: 5 });
    const patch = (body: unknown, key = ops) =>
      ask(port, '/v1/quotas/carol', { method: 'PATCH', headers: bearer(key), body });
    expect((await patch({ tokens_per_day: 900 })).json).toEqual({
      turns_per_day: 5,
      tokens_per_day: 900,
      cost_per_day: null,
    });
    expect((await ask(port, '/v1/keys', { headers: bearer(ops) })).json).toMatchObject({
      keys: [{ owner: 'carol', quota: { turns_per_day: 5, tokens_per_day: 900 }, today: { turns: 0, tokens: 0 } }],
    });
    expect((await patch({ turns_per_day: null })).json).toEqual({
      turns_per_day: null,
      tokens_per_day: 900,
      cost_per_day: null,
    });
    expect((await ask(port, '/v1/quotas/dave', { headers: bearer(ops) })).json).toEqual({
      turns_per_day: null,
      tokens_per_day: null,
      cost_per_day: null,
    });
    expect((await patch({ turns_per_day: -1 })).status).toBe(400);
    expect((await patch({ turns: 1 })).status).toBe(400);
    expect((await patch({ cost_per_day: 1.5 })).status).toBe(400);
    expect((await patch({ turns_per_day: 1 }, ada)).status).toBe(403);
  });

  it('of money is in the currency of the prices, and refused without prices', async () => {
    const money = { cost_per_day: '2.50' };
    const patched = async (currency: string | null) => {
      const { port } = await startHttpOn(stubEngine({}), { apiKeys: KEYS, currency });
      const made = await post(port, { owner: 'dave', ...money });
      const asOperator = { method: 'PATCH', headers: bearer(ops), body: money };
      return { made, changed: await ask(port, '/v1/quotas/carol', asOperator) };
    };
    const priced = await patched('EUR');
    expect(priced.made.status).toBe(201);
    expect(priced.changed.json).toEqual({ turns_per_day: null, tokens_per_day: null, cost_per_day: '2.50' });
    const { made, changed } = await patched(null);
    for (const refused of [made, changed]) {
      expect(refused.status).toBe(400);
      expect(refused.json).toMatchObject({ detail: expect.stringContaining('needs "prices"') });
    }
  });
});
