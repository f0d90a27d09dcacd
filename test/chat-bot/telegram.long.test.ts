import { afterAll, beforeAll } from 'vitest';
import { type BotProcess, botProcess } from '../support/chat-bot/bot-process.ts';
import { chatFrontEnd } from '../support/chat-bot/chat-window.ts';
import { type Forward, startForward } from '../support/chat-bot/forward.ts';
import { installBot } from '../support/chat-bot/installed.ts';
import { startTelegramApi, type TelegramApi } from '../support/chat-bot/telegram-api.ts';
import { openTelegramChat } from '../support/chat-bot/telegram-chat.ts';
import { tellStory } from '../support/front-ends/story.ts';

let api: TelegramApi;
let tripact: Forward;
let bot: BotProcess;

beforeAll(async () => {
  await installBot();
  [api, tripact] = await Promise.all([startTelegramApi(), startForward()]);
  bot = botProcess(() => ({
    TRIPACT_URL: tripact.url,
    TELEGRAM_BOT_TOKEN: '4242:secret',
    TELEGRAM_API_BASE_URL: api.url,
  }));
  await bot.start();
}, 300_000);

afterAll(async () => {
  await bot.close();
  await Promise.all([api.close(), tripact.close()]);
});

tellStory(
  'Telegram',
  chatFrontEnd(() => openTelegramChat(api), {
    connect: (url) => tripact.to(url),
    crash: () => bot.kill(),
    restart: () => bot.start(),
  }),
);
