import { SignJWT } from 'jose';
import { pino } from 'pino';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createTokens } from '../../src/access/tokens.ts';
import { AUDIENCE, type Issuer, startIssuer } from '../support/access/issuer.ts';
import { seenLog } from '../support/mcp/setup.ts';

const claims = {
  owner: 'sub',
  role: 'realm_access.roles',
  turnsPerDay: 'tripact_turns_per_day',
  tokensPerDay: 'https://tripact.example/tokens',
  costPerDay: 'tripact_cost_per_day',
};

const read = (issuer: Issuer, now: () => number = Date.now, log = pino({ level: 'silent' })) =>
  createTokens({ issuer: issuer.url, audience: AUDIENCE, jwksUrl: null, claims }, now, log).read;

/** Lets the test set the date that all read; timers go on as ever. */
const mockDate = (): void => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
};

describe('a token of the issuer', () => {
  it('names its owner, and lets it in as a user', async () => {
    const issuer = await startIssuer();
    const readToken = read(issuer);
    const issued_at = expect.any(Number);
    expect(await readToken(await issuer.sign())).toEqual({
      owner: 'ada',
      subject: 'ada',
      role: 'user',
      roles: [],
      quota: {},
      issued_at,
    });
    for (const aud of [[AUDIENCE, 'https://other.example']])
      expect(await readToken(await issuer.sign({ aud }))).toMatchObject({ owner: 'ada' });
    expect(issuer.asked()).toBe(1);
  });

  it('is checked by the keys at the usual place where it has no discovery document', async () => {
    const issuer = await startIssuer({ hasDiscovery: false });
    expect(await read(issuer)(await issuer.sign())).toMatchObject({ owner: 'ada' });
  });

  it('may set a role and a quota, by claims that have a path or are URLs', async () => {
    const issuer = await startIssuer();
    const said = {
      realm_access: { roles: ['operator', 'x'] },
      tripact_turns_per_day: 5,
      [claims.tokensPerDay]: null,
      tripact_cost_per_day: 0.1,
    };
    expect(await read(issuer)(await issuer.sign(said))).toMatchObject({
      role: 'operator',
      quota: { turns_per_day: 5, tokens_per_day: null, cost_per_day: '0.1' },
    });
    for (const roles of ['admin operator', ['operator']])
      expect(await read(issuer)(await issuer.sign({ realm_access: { roles } }))).toMatchObject({ role: 'operator' });
    for (const roles of ['operators', { operator: true }, [['operator']], null])
      expect(await read(issuer)(await issuer.sign({ realm_access: { roles } }))).toMatchObject({ role: 'user' });
  });

  it('has its own owner for each subject, whatever its characters', async () => {
    const issuer = await startIssuer();
    const ownerOf = async (sub: string) => (await read(issuer)(await issuer.sign({ sub })))?.owner;
    const hashed = await ownerOf('auth0|64ab12');
    expect(hashed).toMatch(/^u-[A-Za-z0-9_-]{43}$/);
    expect(await ownerOf('auth0|64ab12')).toBe(hashed);
    const owners = await Promise.all(['auth0|64ab13', 'a@b.example', 'local', hashed!, 'x'.repeat(65)].map(ownerOf));
    expect(new Set([...owners, hashed]).size).toBe(6);
    for (const owner of owners) expect(owner).toMatch(/^u-/);
  });

  it.each<[string, Record<string, unknown>]>([
    ['of another issuer', { iss: 'https://other.example' }],
    ['for another audience', { aud: 'https://other.example' }],
    ['for no audience', { aud: undefined }],
    ['that has expired', { exp: Math.floor(Date.now() / 1_000) - 60 }],
    ['that never expires', { exp: undefined }],
    ['of nobody', { sub: undefined }],
    ['with a quota that is none', { tripact_turns_per_day: -1 }],
    ['with an amount of money that is none', { tripact_cost_per_day: 'much' }],
  ])('%s is refused', async (_name, changed) => {
    const issuer = await startIssuer();
    expect(await read(issuer)(await issuer.sign(changed))).toBe(null);
  });
});

describe('a forged token', () => {
  const payload = (issuer: Issuer) => ({ iss: issuer.url, aud: AUDIENCE, sub: 'ada' });

  it('signed with the public key as a secret is refused', async () => {
    const issuer = await startIssuer();
    const secret = new TextEncoder().encode(JSON.stringify(issuer.publicKey()));
    const sign = (alg: string) =>
      new SignJWT(payload(issuer))
        .setProtectedHeader({ alg, kid: 'key-1' })
        .setIssuedAt()
        .setExpirationTime('5m')
        .sign(secret);
    expect(await read(issuer)(await sign('HS256'))).toBe(null);
  });

  it("signed with its own key is refused, also under a real key's name, or with the key in its header", async () => {
    const [issuer, forger] = await Promise.all([startIssuer(), startIssuer()]);
    const readToken = read(issuer);
    const iss = issuer.url;
    expect(await readToken(await forger.sign({ iss }))).toBe(null);
    expect(await readToken(await forger.sign({ iss }, { jwk: forger.publicKey() }))).toBe(null);
    expect(await readToken(await forger.sign({ iss }, { jku: `${forger.url}/keys` }))).toBe(null);
    expect(forger.asked()).toBe(0);
  });
});

describe("the issuer's keys", () => {
  it.each([
    ['a name of its own', 'key-2'],
    ['the name of the one before', 'key-1'],
  ])('are fetched once more at once for a new key under %s', async (_, kid) => {
    mockDate();
    const issuer = await startIssuer();
    const readToken = read(issuer);
    const before = await issuer.sign();
    expect(await readToken(before)).not.toBe(null);
    await issuer.rotate(kid);
    const tokens = await Promise.all(['ada', 'bob', 'eve'].map((sub) => issuer.sign({ sub })));
    expect(await Promise.all(tokens.map(readToken))).toMatchObject([
      { owner: 'ada' },
      { owner: 'bob' },
      { owner: 'eve' },
    ]);
    expect(issuer.asked()).toBe(2);
    expect(await readToken(before)).toBe(null);
    expect(issuer.asked()).toBe(2);
  });

  it('are fetched once a second at most, however many tokens strangers make up', async () => {
    mockDate();
    const issuer = await startIssuer();
    const readToken = read(issuer);
    expect(await readToken(await issuer.sign())).not.toBe(null);
    const madeUp = await Promise.all(Array.from({ length: 5 }, (_, n) => issuer.sign({}, { kid: `made-up-${n}` })));
    for (const token of madeUp) expect(await readToken(token)).toBe(null);
    expect(await Promise.all(madeUp.map(readToken))).toEqual(madeUp.map(() => null));
    expect(issuer.asked()).toBe(2);
    await issuer.rotate();
    vi.setSystemTime(Date.now() + 1_000);
    expect(await readToken(await issuer.sign())).toMatchObject({ owner: 'ada' });
    expect(issuer.asked()).toBe(3);
  });

  it('that were had stay where they cannot be fetched for a made-up token', async () => {
    const issuer = await startIssuer();
    const readToken = read(issuer);
    const token = await issuer.sign();
    expect(await readToken(token)).not.toBe(null);
    issuer.answer(500);
    await expect(readToken(await issuer.sign({}, { kid: 'made-up' }))).rejects.toMatchObject({ status: 503 });
    expect(await readToken(token)).not.toBe(null);
  });

  it('that cannot be had are 503, and had as soon as they are there', async () => {
    const issuer = await startIssuer();
    const seen = seenLog();
    const readToken = read(issuer, Date.now, seen.log);
    const token = await issuer.sign();
    for (const [status, body] of [[500], [200, 'no json'], [200, '{"keys":1}']] as const) {
      issuer.answer(status, body);
      await expect(readToken(token)).rejects.toMatchObject({ code: 'ISSUER_UNAVAILABLE', status: 503 });
    }
    expect(seen.text().match(/"level":40/g)).toHaveLength(1);
    issuer.answer(200);
    expect(await readToken(token)).toMatchObject({ owner: 'ada' });
  });
});
