import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { startTelegramApi } from '../support/chat-bot/telegram-api.ts';
import { openTelegramChat } from '../support/chat-bot/telegram-chat.ts';

const chat = botInChat(startTelegramApi, ({ url }) => ({
  TELEGRAM_BOT_TOKEN: '4242:secret',
  TELEGRAM_API_BASE_URL: url,
}));

tellStoryInChat('Telegram', chat, () => openTelegramChat(chat.api));
