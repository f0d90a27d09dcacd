import { expect } from 'vitest';
import { act, answer, done, plan, startService } from '../service/service.ts';
import { openBrowser } from './browser.ts';
import { serveMail } from './mail-server.ts';
import { startOAuthServer } from './oauth-server.ts';

/**
 * A service in this process with a tool that wants its user to sign in, and a model that sends one mail. `signIn` is what
 * the user does with the link of a question.
 */
export const startWithMail = async () => {
  const oauth = await startOAuthServer();
  const mail = await serveMail(oauth, ['server/discover', 'tools/list', 'subscriptions/listen']);
  const env = {
    TRIPACT_SECRET_KEY: 'a secret of the operator long enough',
    TRIPACT_SIGN_IN_HOSTS: '127.0.0.1',
  };
  const script = [plan('Send it'), act('mail_send', '{"to":"bob"}'), done(), answer('Sent.')];
  const service = await startService(script, env, { file: { mcpServers: { mail: { url: mail.url } } } });
  const signIn = async (link: unknown): Promise<void> => {
    const browser = openBrowser();
    // The service listens on a port that it could not know before.
    const { pathname } = new URL(String(link));
    browser.stopBefore('http://127.0.0.1:8787/v1/sign-ins/callback');
    await browser.signIn(await browser.open(service.url + pathname), 'ada');
    const { search } = new URL(browser.stoppedAt() ?? 'http://not-sent-back');
    browser.stopBefore('nowhere');
    expect(await browser.open(`${service.url}/v1/sign-ins/callback${search}`)).toMatchObject({ status: 200 });
  };
  return { mail, service, signIn };
};
