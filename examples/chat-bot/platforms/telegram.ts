import { createTelegramAdapter } from '@chat-adapter/telegram';
import type { Button } from '../buttons.ts';
import type { BotConfig } from '../config.ts';
import { download, type SentFile, takenOf } from '../sent-file.ts';
import type { ChatPlatform } from './chat-platform.ts';
import { CALL_MS_MAX } from './platform.ts';

/** Updates that Telegram sends; no edited messages, for an answer cannot be taken back. */
const UPDATES = ['message', 'callback_query'];

/** The name of a photo, which has none in Telegram. */
const PHOTO = 'photo.jpg';

/** A refusal of Telegram's. */
class TelegramError extends Error {
  override readonly name = 'TelegramError';
  /** When it may be tried again, in seconds. */
  readonly retryAfter: number | undefined;

  constructor(method: string, description: string, retryAfter?: number) {
    super(`Telegram refuses ${method}: ${description}`);
    this.retryAfter = retryAfter;
  }
}

/**
 * Telegram, by long polling or by a webhook with a secret token. The adapter receives; messages are sent by the Bot API itself, because the
 * adapter makes Markdown of every text that has buttons.
 */
export const createTelegram = ({ token, apiUrl, webhook }: NonNullable<BotConfig['telegram']>): ChatPlatform => {
  const adapter = createTelegramAdapter({
    botToken: token,
    apiUrl,
    mode: webhook === null ? 'polling' : 'webhook',
    ...(webhook !== null && { secretToken: webhook.secret }),
    allowUnverifiedWebhooks: false,
    mentionOnReply: true,
    longPolling: { allowedUpdates: UPDATES },
  });

  const call = async <Result>(method: string, body: object): Promise<Result> => {
    const isForm = body instanceof FormData;
    const headers = isForm ? {} : { 'content-type': 'application/json' };
    const response = await fetch(`${apiUrl}/bot${token}/${method}`, {
      method: 'POST',
      signal: AbortSignal.timeout(CALL_MS_MAX),
      headers,
      body: isForm ? body : JSON.stringify(body),
    });
    const { ok, result, description, parameters } = (await response.json()) as {
      ok: boolean;
      result: Result;
      description?: string;
      parameters?: { retry_after?: number };
    };
    if (!ok) throw new TelegramError(method, description ?? `status ${response.status}`, parameters?.retry_after);
    return result;
  };
  const place = (thread: string) => {
    const { chatId, messageThreadId } = adapter.decodeThreadId(thread);
    return { chat_id: chatId, ...(messageThreadId !== undefined && { message_thread_id: messageThreadId }) };
  };
  /** Without a parse mode every sign stands for itself. Each button has a row, because side by side Telegram cuts them; its data is as the adapter reads it. */
  const content = (text: string, buttons: readonly Button[]) => ({
    text,
    link_preview_options: { is_disabled: true },
    reply_markup: {
      inline_keyboard: buttons.map(({ label, action }) => [
        { text: label, callback_data: `chat:${JSON.stringify({ a: 't', v: action })}` },
      ]),
    },
  });
  const post = async (thread: string, text: string, buttons: readonly Button[]): Promise<string> =>
    `${(await call<{ message_id: number }>('sendMessage', { ...place(thread), ...content(text, buttons) })).message_id}`;

  return {
    name: 'telegram',
    adapter,
    textMax: 4_096,
    // In a group 20 messages a minute are taken.
    editEveryMs: 3_000,
    check: async () => {
      await call('getMe', {}).catch((error: unknown) => {
        throw new Error(`Telegram does not answer, or does not take TELEGRAM_BOT_TOKEN: ${String(error)}`);
      });
      if (webhook?.url == null) return;
      await call('setWebhook', { url: webhook.url, secret_token: webhook.secret, allowed_updates: UPDATES });
    },
    // The adapter's text has Markdown where the user's app formatted something.
    textOf: ({ raw }) => {
      const { text, caption } = raw as { text?: string; caption?: string };
      return text ?? caption ?? '';
    },
    filesOf: ({ attachments }) => {
      const read = attachments.filter(({ type }) => type === 'image' || type === 'file');
      const files = read.map(({ type, name, size, fetchMetadata }): SentFile => {
        const ref = { file_id: fetchMetadata?.['fileId'] ?? '' };
        return { name: name ?? (type === 'image' ? PHOTO : null), size: size ?? null, ref };
      });
      return takenOf(files, read.length < attachments.length);
    },
    fetchFile: async ({ ref }) => {
      const { file_path } = await call<{ file_path: string }>('getFile', ref);
      return download(`${apiUrl}/file/bot${token}/${file_path}`);
    },
    post,
    edit: async (thread, message, text, buttons) => {
      // The adapter's ids of messages, which buttons come with, have the chat before the number.
      const message_id = Number(message.split(':').at(-1));
      const { chat_id } = place(thread);
      await call('editMessageText', { chat_id, message_id, ...content(text, buttons) }).catch((error: unknown) => {
        if (!String(error).includes('message is not modified')) throw error;
      });
    },
    sendFile: async (thread, name, bytes) => {
      const form = new FormData();
      for (const [field, value] of Object.entries(place(thread))) form.set(field, `${value}`);
      form.set('document', new Blob([bytes]), name);
      await call('sendDocument', form);
    },
    tell: async (thread, _user, text) => void (await post(thread, text, [])),
  };
};
