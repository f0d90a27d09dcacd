import type { IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { PNG } from '../service/sample-files.ts';
import type { ChatWindow, Seen } from './chat-window.ts';
import { type PlatformReply, type PlatformServer, startPlatform } from './platform-server.ts';
import type { Screen } from './screen.ts';

/** A call of a bot's, as it came in. */
export interface TelegramCall {
  method: string;
  body: Record<string, unknown>;
}

/** Telegram's Bot API with one bot, as far as the adapter uses it. Refuses what Telegram refuses. */
export interface TelegramApi extends Omit<PlatformServer, 'screen'> {
  readonly calls: TelegramCall[];
  /** A chat's screen. */
  screen(chat: number): Screen;
  /** Gives the bot an update, again if it has the id of an earlier one. */
  update(update: Record<string, unknown>): void;
  /** Refuses the next calls of a method with 429. */
  limit(method: string, times: number): void;
}

const BOT_USER = { id: 4_242, is_bot: true, first_name: 'Tripact', username: 'tripact_bot' };

/** The characters that MarkdownV2 requires to be escaped. */
const RESERVED = /[_*[\]()~`>#+\-=|{}.!]/;

/**
 * A MarkdownV2 text as shown. Throws where Telegram would, and if it formats anything, which the bot's texts never may.
 */
const plainOf = (markdown: string): string => {
  const bare = markdown.replaceAll(/\\([\s\S])/g, '');
  const [sign] = RESERVED.exec(bare) ?? [];
  if (sign !== undefined) throw new Error(`Bad Request: can't parse entities: Character '${sign}' is reserved`);
  return markdown.replaceAll(/\\([\s\S])/g, '$1');
};

/** The fields of a form, a file as its name and text. */
const fieldsOf = async (request: IncomingMessage, type: string): Promise<Record<string, unknown>> => {
  const form = await new Response(new Uint8Array(await buffer(request)), {
    headers: { 'content-type': type },
  }).formData();
  const fields: Record<string, unknown> = {};
  for (const [name, value] of form)
    fields[name] = typeof value === 'string' ? value : { name: value.name, text: await value.text() };
  return fields;
};

interface Markup {
  inline_keyboard?: { text: string; callback_data: string }[][];
}

const buttonsIn = (markup: unknown): Seen['buttons'] =>
  ((markup as Markup | undefined)?.inline_keyboard ?? []).flat().map(({ text, callback_data }) => {
    if (Buffer.byteLength(callback_data) > 64) throw new Error('Bad Request: BUTTON_DATA_INVALID');
    return { label: text, action: (JSON.parse(callback_data.replace(/^chat:/, '')) as { v: string }).v };
  });

export const startTelegramApi = async (): Promise<TelegramApi> => {
  const calls: TelegramCall[] = [];
  const limits = new Map<string, number>();
  let updates: Record<string, unknown>[] = [];
  const waiting: (() => void)[] = [];
  let messages = 1_000;

  const screen = (chat: number): Screen => platform.screen(String(chat));
  const content = ({ text, parse_mode, reply_markup }: Record<string, unknown>) => {
    const shown = parse_mode === 'MarkdownV2' ? plainOf(String(text)) : String(text);
    if (shown.trim() === '') throw new Error('Bad Request: message text is empty');
    if (shown.length > 4_096) throw new Error('Bad Request: message is too long');
    return { text: shown, buttons: buttonsIn(reply_markup) };
  };
  const asMessage = (chat: number, id: number, text: string) => ({
    message_id: id,
    date: 1_800_000_000,
    chat: { id: chat, type: chat < 0 ? 'group' : 'private' },
    from: BOT_USER,
    text,
  });

  const methods: Record<string, (body: Record<string, unknown>) => unknown> = {
    getMe: () => BOT_USER,
    deleteWebhook: () => true,
    setWebhook: () => true,
    sendChatAction: () => true,
    getFile: ({ file_id }) => ({ file_id, file_path: `photos/${file_id}.jpg` }),
    answerCallbackQuery: () => true,
    getUpdates: async ({ offset = 0, timeout = 0 }) => {
      updates = updates.filter(({ update_id }) => Number(update_id) >= Number(offset));
      if (updates.length === 0 && Number(timeout) > 0) await new Promise<void>((resolve) => void waiting.push(resolve));
      return updates;
    },
    sendMessage: (body) => {
      const [chat, id] = [Number(body['chat_id']), ++messages];
      const { text, buttons } = content(body);
      screen(chat).post({ id: `${id}`, text, buttons });
      return asMessage(chat, id, text);
    },
    sendDocument: ({ chat_id, document }) => {
      const { name, text } = document as { name: string; text: string };
      if (name === 'refused.md') throw new Error('Bad Request: file type is not taken');
      const [chat, id] = [Number(chat_id), ++messages];
      screen(chat).post({ id: `${id}`, text: `file ${name}: ${text}`, buttons: [] });
      return asMessage(chat, id, '');
    },
    editMessageText: (body) => {
      const [chat, id] = [Number(body['chat_id']), Number(body['message_id'])];
      const { text, buttons } = content(body);
      const before = screen(chat)
        .seen()
        .find((message) => message.id === `${id}`);
      if (before === undefined) throw new Error('Bad Request: message to edit not found');
      if (before.text === text && JSON.stringify(before.buttons) === JSON.stringify(buttons))
        throw new Error('Bad Request: message is not modified');
      screen(chat).edit({ id: `${id}`, text, buttons });
      return asMessage(chat, id, text);
    },
  };

  const refuse = (code: number, description: string, more = {}): PlatformReply => [
    code,
    { ok: false, error_code: code, description, ...more },
  ];
  const platform = await startPlatform(
    async (request) => {
      const [, of, file] = /^\/file\/bot([^/]+)\/photos\/(\w+)\.jpg$/.exec(request.url ?? '') ?? [];
      if (of === '4242:secret') return file === 'red' ? [200, PNG] : refuse(404, 'Not Found');
      const [, token, method = ''] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url ?? '') ?? [];
      const { 'content-type': type = '' } = request.headers;
      const body = type.startsWith('multipart/')
        ? await fieldsOf(request, type)
        : ((await json(request)) as Record<string, unknown>);
      if (token !== '4242:secret') return refuse(401, 'Unauthorized');
      if (method !== 'getUpdates') calls.push({ method, body });
      const left = limits.get(method) ?? 0;
      if (left > 0) {
        limits.set(method, left - 1);
        return refuse(429, 'Too Many Requests: retry after 1', { parameters: { retry_after: 1 } });
      }
      const call = methods[method];
      return call === undefined ? refuse(404, 'Not Found') : [200, { ok: true, result: await call(body) }];
    },
    (reason) => refuse(400, reason),
  );
  return {
    ...platform,
    calls,
    screen,
    update: (update) => {
      updates.push(update);
      for (const resolve of waiting.splice(0)) resolve();
    },
    limit: (method, times) => void limits.set(method, times),
  };
};

/** The bot's environment. */
export const telegramEnv = ({ url }: TelegramApi): Record<string, string> => ({
  TELEGRAM_BOT_TOKEN: '4242:secret',
  TELEGRAM_API_BASE_URL: url,
});

let chats = 100;
let updates = 1;

/** An update id that Telegram has not sent before. */
export const nextUpdate = (): number => updates++;

/** A user's message as Telegram sends it. */
export const telegramMessage = (chat: number, id: number, text: string, user = chat): Record<string, unknown> => {
  const [command = ''] = /^\/\w+(@\w+)?/.exec(text) ?? [];
  const entities = command === '' ? {} : { entities: [{ type: 'bot_command', offset: 0, length: command.length }] };
  const from = { id: user, is_bot: false, first_name: `User ${user}` };
  const place = { id: chat, type: chat < 0 ? 'group' : 'private' };
  return { message: { message_id: id, date: 1_800_000_000, chat: place, from, text, ...entities } };
};

/** Opens a direct chat with the bot. `deliver` gives it an update; default: by polling. */
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
