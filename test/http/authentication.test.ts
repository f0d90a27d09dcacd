import { describe, expect, it } from 'vitest';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const [ada, bob] = KEYS.map(({ key }) => key) as [string, string];

/** An HTTP app on an engine that reports the owner it was asked for. */
const openAsking = async (apiKeys = KEYS) => {
  const owners: string[] = [];
  const engine = stubEngine({
    sessions: async (owner) => {
      owners.push(owner);
      return { items: [], next: null };
    },
  });
  return { ...(await startHttpOn(engine, { apiKeys })), owners };
};

describe('with keys configured', () => {
  it('a key says whom a request speaks for', async () => {
    const { port, owners } = await openAsking();
    const shown: Record<string, string>[] = [
      { authorization: `Bearer ${ada}` },
      { authorization: `bearer  ${bob}` },
      { 'x-api-key': ada },
      { authorization: `Bearer ${bob}`, 'x-api-key': ada },
    ];
    for (const headers of shown) expect((await ask(port, '/v1/sessions', { headers })).status).toBe(200);
    expect(owners).toEqual(['ada', 'bob', 'ada', 'bob']);
  });

  const wrong: Record<string, string>[] = [
    {},
    { authorization: ada },
    { authorization: `Basic ${ada}` },
    { authorization: `Bearer ${ada.slice(0, -1)}` },
    { authorization: `Bearer ${ada.toUpperCase()}` },
    { 'x-api-key': 'ada' },
  ];

  it.each(wrong)('%o is refused', async (headers) => {
    const { port, owners } = await openAsking();
    const reply = await ask(port, '/v1/sessions', { headers });
    expect(reply.status).toBe(401);
    expect(reply.headers['www-authenticate']).toBe('Bearer realm="tripact"');
    expect(reply.problem).toMatchObject({ type: '/problems/unauthorized' });
    expect(owners).toEqual([]);
  });

  it('a key never reaches the log', async () => {
    const { port, logged } = await openAsking();
    await ask(port, '/v1/sessions', { headers: { authorization: `Bearer ${ada}` } });
    await ask(port, `/v1/sessions?key=${ada}`, { headers: { 'x-api-key': bob } });
    await ask(port, `/v1/tasks/${ada}`, { headers: { 'x-api-key': `${ada}x` } });
    await expect.poll(() => logged().length).toBeGreaterThanOrEqual(3);
    const text = JSON.stringify(logged());
    expect(text).not.toContain(ada);
    expect(text).not.toContain(bob);
  });
});

describe('without keys', () => {
  it('everybody is the owner "local", whatever they show', async () => {
    const { port, owners } = await openAsking([]);
    await ask(port, '/v1/sessions', { headers: { authorization: `Bearer ${ada}` } });
    expect(owners).toEqual(['local']);
  });
});
