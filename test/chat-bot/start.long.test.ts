import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { botProcess } from '../support/chat-bot/bot-process.ts';
import { feishuEnv, startFeishuApi } from '../support/chat-bot/feishu.ts';
import { BOT, installBot } from '../support/chat-bot/installed.ts';
import { startSlackApi } from '../support/chat-bot/slack.ts';
import { startTelegramApi } from '../support/chat-bot/telegram.ts';
import { runCommand } from '../support/package/command.ts';

beforeAll(installBot, 300_000);

/** The output of a bot that does not start with this environment. */
const refusalOf = async (env: Record<string, string>): Promise<string> => {
  const bot = botProcess(() => env);
  onTestFinished(() => bot.close());
  const error = await bot.start().catch((reason: unknown) => reason as Error);
  return String(error);
};

it("its types hold, by the packages' own", async () => {
  const path = `${process.cwd()}/node_modules/.bin`;
  expect(await runCommand(['tsc', '-p', '.'], { cwd: BOT, path })).toMatchObject({ code: 0, stdout: '' });
});

it('says what is missing, and ends', async () => {
  const said = await refusalOf({ SLACK_BOT_TOKEN: 'xoxb-test', TELEGRAM_WEBHOOK_URL: 'https://bot.example.com' });
  expect(said).toContain('ended with 1');
  for (const name of ['TELEGRAM_BOT_TOKEN is missing', 'TELEGRAM_WEBHOOK_SECRET_TOKEN is', 'SLACK_SIGNING_SECRET or'])
    expect(said).toContain(name);
  expect(said).not.toContain('    at ');
});

it('says which platform does not accept it', async () => {
  const [telegram, slack, feishu] = await Promise.all([startTelegramApi(), startSlackApi(), startFeishuApi()]);
  onTestFinished(async () => void (await Promise.all([telegram.close(), slack.close(), feishu.close()])));
  const [one, two, three, four] = await Promise.all([
    refusalOf({ TELEGRAM_BOT_TOKEN: '4242:wrong', TELEGRAM_API_BASE_URL: telegram.url }),
    refusalOf({ SLACK_BOT_TOKEN: 'wrong', SLACK_SIGNING_SECRET: 'x', SLACK_API_URL: slack.url }),
    refusalOf({ ...feishuEnv(feishu), LARK_APP_SECRET: 'wrong' }),
    refusalOf({ SLACK_BOT_TOKEN: 'xoxb-test', SLACK_APP_TOKEN: 'wrong', SLACK_API_URL: slack.url }),
  ]);
  expect(one).toContain('does not take TELEGRAM_BOT_TOKEN');
  expect(two).toContain('does not take SLACK_BOT_TOKEN');
  expect(three).toContain('does not take LARK_APP_ID and LARK_APP_SECRET');
  expect(four).toContain('invalid_auth');
  for (const said of [one, two, three, four]) expect(said).toContain('ended with 1');
});
