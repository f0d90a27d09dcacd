import { expect, it } from 'vitest';
import { botInChat } from '../support/chat-bot/bot-in-chat.ts';
import { reply, says, serviceFor, turnsOf } from '../support/chat-bot/talk.ts';
import { openTelegramChat, startTelegramApi, telegramEnv } from '../support/chat-bot/telegram.ts';

const SECRET = 'webhook-secret';

const chat = botInChat(startTelegramApi, (api) => ({
  ...telegramEnv(api),
  TELEGRAM_WEBHOOK_URL: 'https://bot.example.com/telegram',
  TELEGRAM_WEBHOOK_SECRET_TOKEN: SECRET,
  TELEGRAM_ALLOW_UNVERIFIED_WEBHOOKS: 'true',
  BOT_ALLOWED_USERS: 'telegram:1,telegram:2',
}));

const call = (update: unknown, headers: Record<string, string> = { 'x-telegram-bot-api-secret-token': SECRET }) =>
  fetch(`${chat.url}/telegram`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof update === 'string' ? update : JSON.stringify(update),
  });

it('tells Telegram its address and secret', () => {
  const { body } = chat.api.calls.find(({ method }) => method === 'setWebhook')!;
  expect(body).toMatchObject({ url: 'https://bot.example.com/telegram', secret_token: SECRET });
});

it('accepts only requests with the secret, each once', async () => {
  const service = await serviceFor(chat, says('Done.'));
  const sent: Record<string, unknown>[] = [];
  const window = openTelegramChat(chat.api, async (update) => {
    const from = { id: 1, is_bot: false, first_name: 'A' };
    const { message } = update as { message: object };
    sent.push({ ...update, message: { ...message, from } });
  });
  await window.type('Do it');
  const [update] = sent;
  for (const headers of [{}, { 'x-telegram-bot-api-secret-token': 'wrong' }])
    expect((await call(update, headers as Record<string, string>)).status).toBe(401);
  for (let i = 0; i < 2; i++) expect((await call(update)).status).toBe(200);
  expect((await reply(window, 1)).text).toContain('Done.');
  await chat.restartSettled();
  expect((await call(update)).status).toBe(200);
  expect((await call('no JSON')).status).toBe(400);
  expect((await fetch(`${chat.url}/telegram`)).status).toBe(405);
  expect((await fetch(`${chat.url}/slack`, { method: 'POST' })).status).toBe(404);
  expect(await turnsOf(service, window)).toHaveLength(1);
});

it('tells a stranger what to do', async () => {
  await serviceFor(chat, says('Done.'));
  const window = openTelegramChat(chat.api, call);
  await window.type('Do it');
  expect((await reply(window, 1)).text).toContain(`telegram:${window.id}`);
});
