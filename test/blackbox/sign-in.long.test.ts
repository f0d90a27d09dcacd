import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ToolServerView } from '../../contracts/http.ts';
import type { TraceEntry } from '../../contracts/trace.ts';
import type { TurnView } from '../../contracts/turn-view.ts';
import { type MortalService, startMortal } from '../support/service/mortal-service.ts';
import { act, answer, done, plan, replanned } from '../support/service/service.ts';
import { openBrowser } from '../support/sign-in/browser.ts';
import { type MailServer, serveMail } from '../support/sign-in/mail-server.ts';
import { type OAuthServer, startOAuthServer } from '../support/sign-in/oauth-server.ts';

const KEY = 'a secret of the operator long enough';
const ON = { TRIPACT_SECRET_KEY: KEY, TRIPACT_SIGN_IN_HOSTS: '127.0.0.1' };

/** The list that the mail server gives everybody, so that its tools are known before anybody has signed in. */
const OPEN = ['server/discover', 'tools/list', 'subscriptions/listen'];

/** Waits until the service knows whether the mail server wants a sign-in: on a busy machine that takes many seconds. */
const whenTried = async ({ url }: MortalService, keys = ''): Promise<void> => {
  const [, key] = /^\w+:([\w-]+)/.exec(keys) ?? [];
  const headers: Record<string, string> = key === undefined ? {} : { authorization: `Bearer ${key}` };
  const serverStates = async (): Promise<string[]> => {
    const { servers } = (await (await fetch(`${url}/v1/tools`, { headers })).json()) as {
      servers: ToolServerView[];
    };
    return servers.map(({ state }) => state);
  };
  await expect.poll(serverStates).not.toContain('connecting');
};

interface Setup {
  oauth: OAuthServer;
  mail: MailServer;
  service: MortalService;
}

const startWithMail = async (
  env: Record<string, string>,
  { open = OPEN, tokenSeconds = 3_600 } = {},
): Promise<Setup> => {
  const oauth = await startOAuthServer({ tokenSeconds });
  const mail = await serveMail(oauth, open);
  const service = await startMortal(env);
  writeFileSync(
    join(service.cwd, 'tripact.config.ts'),
    `export default { mcpServers: { mail: ${JSON.stringify({ url: mail.url })} } };`,
  );
  await service.killAndStart();
  await whenTried(service, env['TRIPACT_API_KEYS']);
  return { oauth, mail, service };
};

const sending = [plan('Send it'), act('mail_send', '{"to":"bob"}')];

const linkOf = ({ tool_question }: TurnView): string => tool_question?.url ?? 'no link';

const newest = async (service: MortalService, session = 's1'): Promise<TurnView> =>
  (await service.get<{ turns: TurnView[] }>(`/v1/sessions/${session}/turns`)).turns[0]!;

/** All that the service has stored, as one text. */
const storedIn = (folder: string): string =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'))
    .join('');

describe('a server that wants its user to sign in', () => {
  it('is called once they have, exactly once, also where the service is killed before it has their tokens', async () => {
    const { oauth, mail, service } = await startWithMail(ON);
    service.model.answer([...sending, done(), answer('Sent.')]);
    const asking = await service.say('s1', 'Mail Bob');
    expect(asking.tool_question).toMatchObject({
      kind: 'sign_in',
      tool: 'mail_send',
      server: 'mail',
      host: new URL(service.url).host,
    });
    expect(linkOf(asking)).toContain(`${service.url}/v1/sign-ins/links/`);
    expect(asking.output).toContain('The server "mail" wants you to sign in');

    const browser = openBrowser();
    browser.stopBefore(`${service.url}/v1/sign-ins/callback`);
    await browser.signIn(await browser.open(linkOf(asking)), 'ada');
    const redirect = browser.stoppedAt() ?? 'not sent back';
    expect(redirect).toContain('code=');

    const stranger = openBrowser();
    expect(await stranger.open(redirect)).toMatchObject({
      status: 403,
      text: expect.stringContaining('another browser'),
    });

    const held = oauth.holdToken();
    browser.stopBefore('nowhere');
    const cut = browser.open(redirect).catch(() => 'cut');
    await held;
    await service.kill();
    expect(await cut).toBe('cut');
    await service.start();
    await whenTried(service);
    expect(await browser.open(redirect)).toMatchObject({ status: 410 });
    expect(await service.get(`/v1/tasks/${asking.task_id}`)).toMatchObject({ state: 'awaiting_user' });
    expect(mail.sent).toEqual([]);

    const done_ = await browser.signIn(await browser.open(linkOf(asking)), 'ada');
    expect(done_).toMatchObject({ status: 200, text: expect.stringContaining('You are signed in at mail') });
    await expect.poll(async () => (await newest(service)).status).toBe('answered');
    expect(await newest(service)).toMatchObject({ output: 'Sent.', by: { owner: 'local', via: 'sign_in' } });
    expect(mail.sent).toEqual(['ada to bob']);

    const trace = await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text();
    const events = trace
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as TraceEntry).event);
    expect(events.filter(({ type }) => type === 'answer.received')).toMatchObject([{ signed_in: 'mail' }]);
    const [token = 'none'] = oauth.tokens;
    expect(storedIn(join(service.cwd, 'data')) + JSON.stringify(service.model.raw)).not.toContain(token);

    service.model.answer([...sending, done(), answer('Again.')]);
    expect(await service.say('s1', 'Mail Bob again')).toMatchObject({ status: 'answered', output: 'Again.' });
    expect(mail.sent).toHaveLength(2);
  });

  it('with keys, lets only its owner begin: by their key, on our own page', async () => {
    const keys = { TRIPACT_API_KEYS: 'ada:ada-key-0123456789,bob:bob-key-0123456789' };
    const { service, mail } = await startWithMail({ ...ON, ...keys });
    service.model.answer([...sending, done(), answer('Sent.')]);
    const ada = { authorization: 'Bearer ada-key-0123456789', 'content-type': 'application/json' };
    const turn = await fetch(`${service.url}/v1/sessions/s1/turns`, {
      method: 'POST',
      headers: ada,
      body: '{"input":"Mail Bob"}',
    });
    const link = linkOf((await turn.json()) as TurnView);
    const browser = openBrowser();
    const page = await browser.open(link);
    expect(page.text).toContain('for the account &quot;ada&quot;');
    expect(await browser.submit(page, { key: 'bob-key-0123456789' })).toMatchObject({ status: 403 });
    const foreign = await fetch(link, {
      method: 'POST',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://evil.example' },
      body: 'key=ada-key-0123456789',
    });
    expect(foreign.status).toBe(403);
    const bobs = { ...ada, authorization: 'Bearer bob-key-0123456789' };
    const asBob = await fetch(`${service.url}/v1/sign-ins/mail`, {
      method: 'POST',
      headers: bobs,
      body: JSON.stringify({ url: link }),
    });
    expect(asBob.status).toBe(404);
    await browser.signIn(await browser.submit(page, { key: 'ada-key-0123456789' }), 'ada');
    await expect.poll(() => mail.sent).toEqual(['ada to bob']);
    const list = async (headers: Record<string, string>) =>
      (await fetch(`${service.url}/v1/sign-ins`, { headers })).json();
    expect(await list(ada)).toMatchObject({ sign_ins: [{ server: 'mail', signed_in_at: expect.any(String) }] });
    expect(await list(bobs)).toMatchObject({ sign_ins: [{ server: 'mail', signed_in_at: null }] });
  });

  it('that wants more rights in a call asks for them beside those it has, and the call goes on', async () => {
    const { service, mail, oauth } = await startWithMail(ON);
    service.model.answer([...sending, done(), answer('Sent.')]);
    const browser = openBrowser();
    await browser.signIn(await browser.open(linkOf(await service.say('s1', 'Mail Bob'))), 'ada');
    await expect.poll(async () => (await newest(service)).output).toBe('Sent.');

    service.model.answer([plan('Purge'), act('mail_purge', '{}'), done(), answer('Purged.')]);
    const asking = await service.say('s1', 'Delete all mail');
    const message = 'It needs more rights than you gave it: mail.admin';
    expect(asking.tool_question).toMatchObject({ kind: 'sign_in', tool: 'mail_purge', server: 'mail', message });
    expect(asking.output).toContain(message);
    // Whoever says that they have given them, and has not, is asked again.
    expect(await service.say('s1', 'done')).toMatchObject({ tool_question: { kind: 'sign_in', message } });
    expect(mail.sent).toEqual(['ada to bob']);
    await browser.signIn(await browser.open(linkOf(await newest(service))), 'ada');
    await expect.poll(async () => (await newest(service)).output).toBe('Purged.');
    expect(mail.sent).toEqual(['ada to bob', 'ada purged']);
    expect(await oauth.userOf(oauth.tokens.at(-1) ?? '')).toEqual({ user: 'ada', scopes: ['mail', 'mail.admin'] });

    service.model.answer([...sending, done(), answer('Again.')]);
    expect(await service.say('s1', 'Mail Bob again')).toMatchObject({ status: 'answered', output: 'Again.' });
  });

  it('whose issuer does not give more rights is asked no more than three times', async () => {
    const { service, mail } = await startWithMail(ON);
    service.model.answer([...sending, done(), answer('Sent.')]);
    const browser = openBrowser();
    await browser.signIn(await browser.open(linkOf(await service.say('s1', 'Mail Bob'))), 'ada');
    await expect.poll(async () => (await newest(service)).output).toBe('Sent.');
    service.model.answer([plan('Purge'), act('mail_purge', '{}'), done('not possible'), answer('Not purged.')]);
    await service.say('s1', 'Delete all mail');
    for (const _ of [1, 2]) expect(await service.say('s1', 'done')).toMatchObject({ status: 'asking' });
    expect(await service.say('s1', 'done')).toMatchObject({ output: 'Not purged.' });
    expect(JSON.stringify(service.model.requests.at(-1))).toContain('HTTP 403: It needs more rights than you gave it');
    expect(mail.sent).toEqual(['ada to bob']);
  });

  it('renews a token that ends, forgets it on request, and is then asked about again', async () => {
    const { oauth, mail, service } = await startWithMail(ON, { tokenSeconds: 20 });
    const { url } = (await (
      await fetch(`${service.url}/v1/sign-ins/mail`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{}',
      })
    ).json()) as { url: string };
    const browser = openBrowser();
    await browser.signIn(await browser.open(url), 'ada');
    service.model.answer([...sending, done(), answer('Sent.')]);
    expect(await service.say('s1', 'Mail Bob')).toMatchObject({ output: 'Sent.' });
    expect(mail.sent).toEqual(['ada to bob']);
    expect(oauth.asked.filter((each) => each === 'POST /token').length).toBeGreaterThan(1);
    expect(oauth.asked.filter((each) => each === 'POST /reg')).toHaveLength(1);

    expect((await fetch(`${service.url}/v1/sign-ins/mail`, { method: 'DELETE' })).status).toBe(204);
    expect(oauth.asked.at(-1)).toBe('POST /token/revocation');
    expect((await fetch(`${service.url}/v1/sign-ins/mail`, { method: 'DELETE' })).status).toBe(404);
    service.model.answer([...sending, replanned('Let it be'), done(), answer('Not sent.')]);
    const asking = await service.say('s2', 'Mail Bob');
    expect(asking.tool_question).toMatchObject({ kind: 'sign_in' });
    expect(await service.say('s2', 'decline')).toMatchObject({ status: 'answered' });
    expect(mail.sent).toHaveLength(1);
  });

  it('that lists its tools to nobody else has a tool to sign in by, and its own tools afterwards', async () => {
    const { service, mail } = await startWithMail(ON, { open: [] });
    const names = async (): Promise<string[]> =>
      (await service.get<{ tools: { name: string; server: string | null }[] }>('/v1/tools')).tools.flatMap(
        ({ name, server }) => (server === 'mail' ? [name] : []),
      );
    expect(await names()).toEqual(['mail_sign_in']);
    service.model.answer([
      plan('Sign in'),
      act('mail_sign_in', '{}'),
      done(),
      replanned('Send'),
      act('mail_send', '{"to":"bob"}'),
      done(),
      answer('Sent.'),
    ]);
    const asking = await service.say('s1', 'Mail Bob');
    expect(asking.tool_question).toMatchObject({ kind: 'sign_in', tool: 'mail_sign_in' });
    const browser = openBrowser();
    await browser.signIn(await browser.open(linkOf(asking)), 'ada');
    await expect.poll(() => mail.sent).toEqual(['ada to bob']);
    expect(await names()).toEqual(['mail_send', 'mail_purge']);
  });

  it.each([
    ["without the operator's key", {}, 'its operator has not set TRIPACT_SECRET_KEY'],
    [
      'at a private host that the operator does not allow',
      { TRIPACT_SECRET_KEY: KEY },
      '127.0.0.1 is not on the public internet',
    ],
  ])('%s is not signed in at, and the result says so', async (_, env, said) => {
    const { service, oauth } = await startWithMail(env);
    service.model.answer([...sending, done(), answer('No.')]);
    expect(await service.say('s1', 'Mail Bob')).toMatchObject({ output: 'No.' });
    expect(await (await fetch(`${service.url}/v1/sessions/s1/trace`)).text()).toContain(said);
    expect(oauth.asked).toEqual([]);
  });
});
