import type { ChatWindow } from './chat-window.ts';
import type { TelegramApi } from './telegram-api.ts';

let chats = 100;
let updates = 1;

/** The id of an update that Telegram has not sent before. */
export const nextUpdate = (): number => updates++;

/** A user's message as Telegram sends it. */
export const telegramMessage = (chat: number, id: number, text: string, user = chat): Record<string, unknown> => {
  const [command = ''] = /^\/\w+(@\w+)?/.exec(text) ?? [];
  const entities = command === '' ? {} : { entities: [{ type: 'bot_command', offset: 0, length: command.length }] };
  const from = { id: user, is_bot: false, first_name: `User ${user}` };
  const place = { id: chat, type: chat < 0 ? 'group' : 'private' };
  return { message: { message_id: id, date: 1_800_000_000, chat: place, from, text, ...entities } };
};

/** Opens a direct chat with the bot. `deliver` gives it an update, by polling if nothing else is said. */
export const openTelegramChat = (
  api: TelegramApi,
  deliver: (update: Record<string, unknown>) => unknown = api.update,
): ChatWindow & { id: number } => {
  const id = chats++;
  let messages = 0;
  const screen = api.screen(id);
  return {
    ...screen,
    id,
    session: `telegram_${id}`,
    type: async (text) => void (await deliver({ update_id: nextUpdate(), ...telegramMessage(id, ++messages, text) })),
    press: async (message, label, user = `${id}`) => {
      const button = message.buttons.find((one) => one.label === label);
      const data = `chat:${JSON.stringify({ a: 't', v: button?.action })}`;
      const from = { id: Number(user), is_bot: false, first_name: `User ${user}` };
      const of = {
        message_id: Number(message.id),
        date: 1_800_000_000,
        chat: { id, type: 'private' },
        text: message.text,
      };
      await deliver({
        update_id: nextUpdate(),
        callback_query: { id: `q${updates}`, from, message: of, chat_instance: '1', data },
      });
    },
  };
};
