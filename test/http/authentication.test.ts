import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { hashOfKey } from '../../src/access/keys.ts';
import type { ProtocolName } from '../../src/config/settings.ts';
import { KEYS, startHttpOn } from '../support/http/http-app.ts';
import { ask } from '../support/http/send-request.ts';
import { stubEngine } from '../support/http/stub-engine.ts';

const [ada, bob] = KEYS.map(({ key }) => key) as [string, string];

/** An HTTP app on an engine that reports the owner it was asked for. */
const openAsking = async (apiKeys = KEYS, protocols: readonly ProtocolName[] = []) => {
  const owners: string[] = [];
  const engine = stubEngine({
    sessions: async (owner) => {
      owners.push(owner);
      return { items: [], next: null };
    },
  });
  return { ...(await startHttpOn(engine, { apiKeys, protocols })), owners };
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
});

describe('the key of a front end', () => {
  const key = 'key-of-web-0123456789';
  const shown = { authorization: `Bearer ${key}` };
  const open = async (protocols: readonly ProtocolName[] = []) => {
    const opened = await openAsking(KEYS, protocols);
    const times = { created_at: 0, expires_at: null, last_used_at: null, roles: [] };
    await opened.keys.add({ id: 'key_1', hash: hashOfKey(key), owner: 'web', role: 'front_end', ...times });
    return opened;
  };
  const hashed = (user: string): string => `web~u-${createHash('sha256').update(user).digest('base64url')}`;

  it('acts for the user that each request names, by the name itself or a hash of it', async () => {
    const { port, owners } = await open();
    const long = 'x'.repeat(256);
    const named: [Record<string, string>, string][] = [
      [{ 'x-tripact-user': 'ada' }, 'web~ada'],
      [{ 'x-openwebui-user-id': 'ada' }, 'web~ada'],
      [{ 'x-tripact-user': 'ada', 'x-openwebui-user-id': 'ada' }, 'web~ada'],
      [{ 'x-tripact-user': 'Ada' }, 'web~Ada'],
      [{ 'x-tripact-user': 'ada@example.com' }, hashed('ada@example.com')],
      [{ 'x-tripact-user': 'ada~bob' }, hashed('ada~bob')],
      [{ 'x-tripact-user': hashed('ada@example.com').slice(4) }, hashed(hashed('ada@example.com').slice(4))],
      [{ 'x-tripact-user': 'local' }, hashed('local')],
      [{ 'x-tripact-user': long }, hashed(long)],
      // As fetch writes it, in Latin-1, and as others do, in UTF-8.
      [{ 'x-tripact-user': 'Jörg' }, hashed('Jörg')],
      [{ 'x-tripact-user': Buffer.from('Jörg').toString('latin1') }, hashed('Jörg')],
      [{ 'x-tripact-user': Buffer.from('\u{feff}ada').toString('latin1') }, hashed('\u{feff}ada')],
    ];
    for (const [headers] of named)
      expect((await ask(port, '/v1/sessions', { headers: { ...shown, ...headers } })).status).toBe(200);
    expect(owners).toEqual(named.map(([, owner]) => owner));
  });

  const unnamed: Record<string, string>[] = [
    {},
    { 'x-tripact-user': '' },
    { 'x-tripact-user': 'x'.repeat(257) },
    { 'x-tripact-user': '{{LIBRECHAT_USER_ID}}' },
    { 'x-tripact-user': 'ada', 'x-openwebui-user-id': 'bob' },
  ];

  it('is refused where it names no user, or two, and told what to do', async () => {
    const { port, owners } = await open();
    for (const headers of unnamed) {
      const { problem } = await ask(port, '/v1/sessions', { headers: { ...shown, ...headers } });
      expect(problem).toMatchObject({ status: 400, type: '/problems/user-required' });
      expect(problem.detail).toContain('X-Tripact-User');
    }
    expect(owners).toEqual([]);
  });

  it('names no user where it asks for the models', async () => {
    const { port } = await open(['openai']);
    expect((await ask(port, '/v1/models', { headers: shown })).status).toBe(200);
  });

  it('is no operator, whatever owner it names', async () => {
    const { port } = await open();
    const reply = await ask(port, '/v1/keys', { headers: { ...shown, 'x-tripact-user': 'ops' } });
    expect(reply.problem.type).toBe('/problems/operator-required');
  });

  it('is the only one that names users: others are refused, and what Open WebUI sends everywhere changes nothing', async () => {
    for (const apiKeys of [KEYS, []]) {
      const { port, owners } = await openAsking(apiKeys);
      const asUser = (name: string) =>
        ask(port, '/v1/sessions', { headers: { authorization: `Bearer ${ada}`, [name]: 'bob' } });
      expect((await asUser('x-tripact-user')).problem.detail).toContain('--role front_end');
      expect((await asUser('x-openwebui-user-id')).status).toBe(200);
      expect(owners).toEqual([apiKeys === KEYS ? 'ada' : 'local']);
    }
  });
});

describe('without keys', () => {
  it('everybody is the owner "local", whatever they show', async () => {
    const { port, owners } = await openAsking([]);
    await ask(port, '/v1/sessions', { headers: { authorization: `Bearer ${ada}` } });
    expect(owners).toEqual(['local']);
  });
});
