import { expect, it } from 'vitest';
import type { SignInView } from '../../contracts/sign-ins.ts';
import { startService } from '../support/service/service.ts';
import { openBrowser } from '../support/sign-in/browser.ts';
import { serveMail } from '../support/sign-in/mail-server.ts';
import { startOAuthServer } from '../support/sign-in/oauth-server.ts';

/** Where the service sends browsers back to: its configured port, not the one that it listens on here. */
const CALLBACK = 'http://127.0.0.1:8787/v1/sign-ins/callback';

it('a browser may be in the middle of several sign-ins, and finishes each', async () => {
  const oauth = await startOAuthServer();
  const [mail, post] = [await serveMail(oauth), await serveMail(oauth)];
  const env = {
    TRIPACT_SECRET_KEY: 'a secret of the operator long enough',
    TRIPACT_SIGN_IN_HOSTS: '127.0.0.1',
  };
  const mcpServers = { mail: { url: mail.url }, post: { url: post.url } };
  const service = await startService([], env, { file: { mcpServers } });
  const browser = openBrowser();
  const begun: string[] = [];
  for (const server of Object.keys(mcpServers)) {
    browser.stopBefore(CALLBACK);
    const { url } = (await (await service.post(`/v1/sign-ins/${server}`, {})).json()) as { url: string };
    const { pathname } = new URL(url);
    await browser.signIn(await browser.open(service.url + pathname), 'ada');
    begun.push(browser.stoppedAt()?.replace(new URL(CALLBACK).origin, service.url) ?? 'not sent back');
  }
  browser.stopBefore('nowhere');
  for (const redirect of begun) expect(await browser.open(redirect)).toMatchObject({ status: 200 });
  const { sign_ins } = await service.get<{ sign_ins: SignInView[] }>('/v1/sign-ins');
  expect(sign_ins).toMatchObject([
    { server: 'mail', signed_in_at: expect.any(String) },
    { server: 'post', signed_in_at: expect.any(String) },
  ]);
});
