import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import type { TurnView } from '../../contracts/turn-view.ts';
import { replay } from '../../src/history/replay.ts';
import { finished, read, say, untilServed } from '../support/postgres/client.ts';
import { type Cluster, type Node, startCluster, startNetworkTo } from '../support/postgres/cluster.ts';
import { act, answer, done, plan } from '../support/service/answers.ts';
import { type Browser, openBrowser, type Page } from '../support/sign-in/browser.ts';
import { type MailServer, serveMail } from '../support/sign-in/mail-server.ts';
import { type OAuthServer, startOAuthServer } from '../support/sign-in/oauth-server.ts';

const KEY = 'key-of-ada-0123456789';

/** The list that the mail server gives everybody, so that its tools are known before anybody has signed in. */
const OPEN = ['server/discover', 'tools/list', 'subscriptions/listen'];

const sending = () => ({
  plan: plan('Send it'),
  thought: [act('mail_send', '{"to":"bob"}'), done()],
  replan: answer('Sent.'),
});

interface Setup {
  cluster: Cluster;
  oauth: OAuthServer;
  mail: MailServer;
  /** Where browsers reach the nodes. */
  publicUrl: string;
  /** Sends browsers to one node from now on. */
  leadTo(node: Node): void;
}

/** Nodes behind one address for browsers, with a mail server whose users sign in. */
const startWithMail = async (): Promise<Setup> => {
  const oauth = await startOAuthServer();
  const mail = await serveMail(oauth, OPEN);
  const front = await startNetworkTo(0);
  const publicUrl = `http://127.0.0.1:${front.port}`;
  const cluster = await startCluster(
    2,
    ['ada'],
    {
      TRIPACT_SECRET_KEY: 'a secret of the operator long enough',
      TRIPACT_SIGN_IN_HOSTS: '127.0.0.1',
      TRIPACT_PUBLIC_URL: publicUrl,
    },
    `export default { mcpServers: { mail: ${JSON.stringify({ url: mail.url })} } };`,
  );
  const leadTo = ({ url }: Node): void => {
    // Connections that are open lead to the node before.
    front.cut();
    front.leadTo(Number(new URL(url).port));
    front.heal();
  };
  cluster.model.answer(sending());
  return { cluster, oauth, mail, publicUrl, leadTo };
};

/** Asks for a page until a node serves it, as a person does who is told to try again. */
const untilShown = async (ask: () => Promise<Page>): Promise<Page> => {
  for (;;) {
    const page = await ask().catch(() => null);
    if (page !== null && page.status !== 503) return page;
    await pause(100);
  }
};

/** A task of ada's that waits for her sign-in, at its home. */
const asked = async ({ cluster }: Setup): Promise<{ asking: TurnView; home: Node; other: Node }> => {
  const [first] = cluster.nodes as [Node];
  const asking = await read(await untilServed(() => say(cluster, first, 'ada', 'Mail Bob')));
  expect(asking.tool_question).toMatchObject({ kind: 'sign_in', server: 'mail' });
  const [home, other] = await cluster.homeAndOther('ada');
  return { asking, home, other };
};

/** Signs in through the pages up to the address that the browser is sent back to, which it does not open. */
const signedInAt = async (browser: Browser, { publicUrl }: Setup, { tool_question }: TurnView): Promise<string> => {
  browser.stopBefore(`${publicUrl}/v1/sign-ins/callback`);
  const page = await untilShown(() => browser.open(tool_question?.url ?? 'no link'));
  await browser.signIn(await untilShown(() => browser.submit(page, { key: KEY })), 'ada');
  browser.stopBefore('nowhere');
  return browser.stoppedAt() ?? 'not sent back';
};

/** The last turn of the session, once it is finished. */
const lastTurn = async ({ cluster }: Setup, node: Node): Promise<TurnView> => {
  const turns = await untilServed(() => cluster.ask(node, 'ada', '/v1/sessions/s1/turns'));
  const [newest] = (await read<{ turns: TurnView[] }>(turns)).turns;
  return finished(cluster, node, 'ada', newest!.id);
};

describe('a sign-in with several nodes', () => {
  it('whose redirect comes in at another node than the home of its task is finished there, and the task goes on', async () => {
    const setup = await startWithMail();
    const { cluster, mail, publicUrl, leadTo } = setup;
    const { asking, other } = await asked(setup);
    leadTo(other);
    const browser = openBrowser();
    const redirect = await signedInAt(browser, setup, asking);
    expect(redirect).toContain(`${publicUrl}/v1/sign-ins/callback?`);
    expect(await untilShown(() => browser.open(redirect))).toMatchObject({
      status: 200,
      text: expect.stringContaining('You are signed in at mail'),
    });
    expect(await lastTurn(setup, other)).toMatchObject({ output: 'Sent.', by: { owner: 'ada', via: 'sign_in' } });
    expect(mail.sent).toEqual(['ada to bob']);
    // A redirect counts once, at whichever node it comes in.
    leadTo(cluster.nodes.find((node) => node !== other)!);
    expect(await untilShown(() => browser.open(redirect))).toMatchObject({ status: 410 });
    expect(mail.sent).toHaveLength(1);
  });

  it('whose node is killed between redirect and token is begun again at another one, and the call is made once', async () => {
    const setup = await startWithMail();
    const { cluster, oauth, mail, leadTo } = setup;
    const { asking, home, other } = await asked(setup);
    leadTo(home);
    const browser = openBrowser();
    const redirect = await signedInAt(browser, setup, asking);
    const held = oauth.holdToken();
    const cut = browser.open(redirect).catch(() => 'cut');
    await held;
    await home.kill();
    expect(await cut).toBe('cut');
    leadTo(other);
    const task = await untilServed(() => cluster.ask(other, 'ada', `/v1/tasks/${asking.task_id}`));
    expect(await task.json()).toMatchObject({ state: 'awaiting_user' });
    expect(await untilShown(() => browser.open(redirect))).toMatchObject({ status: 410 });
    expect(mail.sent).toEqual([]);

    const redirected = await signedInAt(browser, setup, asking);
    expect(await untilShown(() => browser.open(redirected))).toMatchObject({ status: 200 });
    expect(await lastTurn(setup, other)).toMatchObject({ output: 'Sent.' });
    expect(mail.sent).toEqual(['ada to bob']);
    const trace = await cluster.trace(other, 'ada', 's1');
    expect(await replay(trace, { gapless: true })).toEqual({ ok: true, entries: trace.length });
    expect(oauth.tokens.every((token) => !JSON.stringify(trace).includes(token))).toBe(true);
  });

  it('is known at a node that takes over: the next call needs no other', async () => {
    const setup = await startWithMail();
    const { cluster, mail, leadTo } = setup;
    const { asking, home, other } = await asked(setup);
    leadTo(other);
    const browser = openBrowser();
    const redirect = await signedInAt(browser, setup, asking);
    await untilShown(() => browser.open(redirect));
    await lastTurn(setup, other);
    await home.kill();
    cluster.model.answer(sending());
    expect(await read(await untilServed(() => say(cluster, other, 'ada', 'Mail Bob again')))).toMatchObject({
      status: 'answered',
      output: 'Sent.',
    });
    expect(mail.sent).toHaveLength(2);
  });
});
