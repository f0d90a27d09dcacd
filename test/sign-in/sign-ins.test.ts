import { rmSync } from 'node:fs';
import pino from 'pino';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openStorage } from '../../src/app/open-storage.ts';
import type { LinkPurpose } from '../../src/sign-in/port.ts';
import { createSignIns } from '../../src/sign-in/sign-ins.ts';
import { makeStoreDir } from '../support/engine/empty-store.ts';
import { databaseOf } from '../support/postgres/database-of.ts';
import { openBrowser } from '../support/sign-in/browser.ts';
import { serveMail } from '../support/sign-in/mail-server.ts';
import { startOAuthServer } from '../support/sign-in/oauth-server.ts';

const SECRET = 'a secret of the operator long enough';
const NEXT = 'the secret of the operator after that one';
const PUBLIC = 'http://127.0.0.1:1';

const PURPOSE: LinkPurpose = {
  owner: 'ada',
  server: 'mail',
  session_id: 's1',
  effect_id: 'task_1.3',
  language: 'en',
  challenge: {},
};

const silent = pino({ level: 'silent' });

/** Sign-ins on a real store and a real OAuth server, with a clock that the test sets. */
const openSignIns = async () => {
  const oauth = await startOAuthServer();
  const mail = await serveMail(oauth);
  const dataDir = makeStoreDir();
  const storage = await openStorage({
    dataDir,
    databaseUrl: await databaseOf(dataDir),
    maxBytes: 2 ** 30,
    log: silent,
  });
  onTestFinished(async () => {
    await storage.close(true);
    rmSync(dataDir, { recursive: true, force: true });
  });
  const clock = { now: Date.now() };
  const logged: string[] = [];
  const withKeys = (...secrets: string[]) =>
    createSignIns({
      secrets,
      publicUrl: PUBLIC,
      servers: { mail: { url: mail.url } },
      store: storage.signIns,
      fetchFor: () => fetch,
      log: pino({ level: 'warn' }, { write: (line) => void logged.push(line) }),
      now: () => clock.now,
    });
  return { oauth, store: storage.signIns, signIns: withKeys(SECRET), withKeys, logged, clock };
};

type Opened = Awaited<ReturnType<typeof openSignIns>>;

/** Goes through the server's pages. Returns what the browser was sent back with, and what it kept. */
const throughPages = async ({ signIns }: Opened, user = 'ada') => {
  const { url, browser } = await signIns.begin(PURPOSE);
  const visitor = openBrowser();
  visitor.stopBefore(PUBLIC);
  await visitor.signIn(await visitor.open(url.href), user);
  const { searchParams } = new URL(visitor.stoppedAt() ?? PUBLIC);
  const [state = '', code = ''] = ['state', 'code'].map((name) => searchParams.get(name) ?? undefined);
  return { url, state, browser, answer: { code, iss: searchParams.get('iss') ?? undefined } };
};

describe('a sign-in', () => {
  it('uses PKCE, counts once, and gives its owner alone a token', async () => {
    const opened = await openSignIns();
    const { signIns, oauth, store } = opened;
    const { url, state, browser, answer } = await throughPages(opened);
    expect(url.searchParams.get('code_challenge_method')).toBe('S256');
    expect(url.searchParams.get('state')).not.toContain('ada');
    expect(await signIns.finish(state, [browser], answer)).toEqual(PURPOSE);
    const token = (await signIns.token('ada', 'mail')) ?? 'none';
    expect(await oauth.userOf(token)).toEqual({ user: 'ada', scopes: ['mail'] });
    expect(await signIns.token('bob', 'mail')).toBeNull();
    await expect(signIns.finish(state, [browser], answer)).rejects.toMatchObject({ reason: 'used' });
    const { sealed } = (await store.of('ada', 'mail')) ?? {};
    expect(sealed).not.toContain(token);
  });

  it('is refused in another browser, which does not spoil it, and after ten minutes', async () => {
    const opened = await openSignIns();
    const { signIns, clock } = opened;
    const { state, browser, answer } = await throughPages(opened);
    await expect(signIns.finish(state, [], answer)).rejects.toMatchObject({ reason: 'other_browser' });
    await expect(signIns.finish(state, [`${browser}x`], answer)).rejects.toMatchObject({ reason: 'other_browser' });
    await expect(signIns.finish(`${state.slice(0, -4)}AAAA`, [browser], answer)).rejects.toMatchObject({
      reason: 'invalid',
    });
    const start = clock.now;
    clock.now = start + 600_001;
    await expect(signIns.finish(state, [browser], answer)).rejects.toMatchObject({ reason: 'expired' });
    clock.now = start;
    expect(await signIns.finish(state, [browser], answer)).toMatchObject({ owner: 'ada' });
  });

  it('that began later takes the place of an earlier one', async () => {
    const opened = await openSignIns();
    const first = await throughPages(opened);
    const second = await throughPages(opened);
    await expect(opened.signIns.finish(first.state, [first.browser], first.answer)).rejects.toMatchObject({
      reason: 'used',
    });
    expect(await opened.signIns.finish(second.state, [second.browser], second.answer)).toMatchObject({ owner: 'ada' });
  });

  it('is not to be read with another key, nor as another owner or server', async () => {
    const opened = await openSignIns();
    const { signIns, store, withKeys } = opened;
    const { state, browser, answer } = await throughPages(opened);
    await signIns.finish(state, [browser], answer);
    const { sealed } = (await store.of('ada', 'mail')) ?? {};
    await store.save('bob', 'mail', sealed ?? '', 1);
    expect(await signIns.token('bob', 'mail')).toBeNull();
    expect(await withKeys('another secret of thirty-two chars').token('ada', 'mail')).toBeNull();
    expect(() =>
      withKeys('another secret of thirty-two chars').purposeOf(
        signIns.linkFor('ada', 'mail', 'en').url.split('/').at(-1) ?? '',
      ),
    ).toThrow(expect.objectContaining({ reason: 'invalid' }));
  });

  it('outlives a change of the key: each key opens it, its next use seals it by the first, and then that is enough', async () => {
    const opened = await openSignIns();
    const { signIns, withKeys, store, logged, oauth } = opened;
    const { state, browser, answer } = await throughPages(opened);
    const [both, next] = [withKeys(NEXT, SECRET), withKeys(NEXT)];
    // Begun before the change, and finished after it.
    expect(await both.finish(state, [browser], answer)).toEqual(PURPOSE);
    const link = signIns.linkFor('ada', 'mail', 'en').url.split('/').at(-1) ?? '';
    expect(both.purposeOf(link)).toMatchObject({ owner: 'ada' });
    expect(both.isTicket(signIns.ticketFor(PURPOSE), PURPOSE)).toBe(true);
    expect(await next.token('ada', 'mail')).not.toBeNull();

    const { sealed } = (await store.of('ada', 'mail')) ?? {};
    await store.save('ada', 'mail', sealed ?? '', 7);
    const back = withKeys(SECRET, NEXT);
    const token = await back.token('ada', 'mail');
    expect(await withKeys(SECRET).token('ada', 'mail')).toBe(token);
    expect(await store.of('ada', 'mail')).toMatchObject({ signed_in_at: 7 });
    // A renewal seals by the first key, too.
    const renewed = await both.renewed('ada', 'mail');
    expect(renewed).not.toBe(token);
    expect(await next.token('ada', 'mail')).toBe(renewed);
    expect(oauth.asked.filter((each) => each === 'POST /token')).toHaveLength(2);
    expect(logged).toEqual([]);
  });

  it('that no key opens is none: its owner signs in again, and the log says why without a name or a secret', async () => {
    const opened = await openSignIns();
    const { signIns, withKeys, logged } = opened;
    const { state, browser, answer } = await throughPages(opened);
    await signIns.finish(state, [browser], answer);
    const other = withKeys(NEXT);
    expect(await other.token('ada', 'mail')).toBeNull();
    expect(await other.list('ada')).toEqual([{ server: 'mail', signed_in_at: null }]);
    expect(logged).toHaveLength(1);
    expect(JSON.parse(logged[0] ?? '')).toMatchObject({
      level: 40,
      mcp_server: 'mail',
      msg: 'no key of TRIPACT_SECRET_KEY opens a stored sign-in: its owner has to sign in again',
    });
    expect(logged[0]).not.toMatch(/ada|secret of/);
    const again = await throughPages({ ...opened, signIns: other });
    await other.finish(again.state, [again.browser], again.answer);
    expect(await other.token('ada', 'mail')).not.toBeNull();
  });

  it('whose tokens their issuer has revoked ends, and its owner signs in again', async () => {
    const opened = await openSignIns();
    const { signIns, oauth } = opened;
    const { state, browser, answer } = await throughPages(opened);
    await signIns.finish(state, [browser], answer);
    const before = await signIns.token('ada', 'mail');
    const [one, other] = await Promise.all([signIns.renewed('ada', 'mail'), signIns.renewed('ada', 'mail')]);
    expect(one).toBe(other);
    expect(one).not.toBe(before);
    expect(oauth.asked.filter((each) => each === 'POST /token')).toHaveLength(2);
    expect(await signIns.revoke('ada', 'mail')).toBe(true);
    expect(oauth.asked.at(-1)).toBe('POST /token/revocation');
    expect(await signIns.revoke('ada', 'mail')).toBe(false);
    expect(await signIns.list('ada')).toEqual([{ server: 'mail', signed_in_at: null }]);
  });
});

it('a ticket is for one owner and server, for five minutes', async () => {
  const { signIns, clock } = await openSignIns();
  const ticket = signIns.ticketFor(PURPOSE);
  expect(signIns.isTicket(ticket, PURPOSE)).toBe(true);
  expect(signIns.isTicket(ticket, { ...PURPOSE, owner: 'bob' })).toBe(false);
  expect(signIns.isTicket('made up', PURPOSE)).toBe(false);
  clock.now += 300_001;
  expect(signIns.isTicket(ticket, PURPOSE)).toBe(false);
});
