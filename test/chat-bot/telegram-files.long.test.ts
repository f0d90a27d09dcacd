import { expect, it } from 'vitest';
import { botInChat } from '../support/chat-bot/bot-in-chat.ts';
import { reply, says, serviceFor } from '../support/chat-bot/talk.ts';
import { startTelegramApi } from '../support/chat-bot/telegram-api.ts';
import { openTelegramChat } from '../support/chat-bot/telegram-chat.ts';
import { act, answer, done, plan } from '../support/service/service.ts';

const chat = botInChat(startTelegramApi, ({ url }) => ({
  TELEGRAM_BOT_TOKEN: '4242:secret',
  TELEGRAM_API_BASE_URL: url,
}));

const open = () => openTelegramChat(chat.api);

it('files that a task wrote come with its result, and those of Tripact do not', async () => {
  await serviceFor(chat, [
    plan('Write'),
    act('files', 'write notes/día.md # Tea'),
    done(),
    answer('Written.'),
    ...(says('No more.') as object[]),
  ] as never);
  const window = open();
  await window.type('Write it down');
  expect((await reply(window, 1)).text).toContain('Written.');
  expect((await reply(window, 2)).text).toBe('file día.md: # Tea');
  await window.type('And now?');
  expect((await reply(window, 3)).text).toContain('No more.');
});
