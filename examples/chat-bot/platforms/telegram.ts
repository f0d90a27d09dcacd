import { createTelegramAdapter } from '@chat-adapter/telegram';
import {
  Actions,
  Button as ButtonElement,
  Card,
  type CardElement,
  CardText,
  paragraph,
  text as plain,
  root,
  stringifyMarkdown,
} from 'chat';
import type { Button } from '../buttons.ts';
import type { BotConfig } from '../config.ts';
import type { ChatPlatform } from './chat-platform.ts';

/** Markdown that shows this text and nothing else: a message with buttons is always Markdown for the adapter. */
const escaped = (text: string): string => stringifyMarkdown(root([paragraph([plain(text)])]));

/** Each option in a row of its own: side by side Telegram cuts them. */
const card = (text: string, buttons: readonly Button[]): CardElement =>
  Card({
    children: [
      CardText(escaped(text)),
      ...buttons.map(({ label, action }) => Actions([ButtonElement({ id: 't', label, value: action })])),
    ],
  });

/** What calls of Telegram's API are about: no edited messages, for what was said is said. */
const UPDATES = ['message', 'callback_query'];

/** Telegram, by long polling or by a webhook with a secret token. */
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
  const message = (text: string, buttons: readonly Button[]): string | CardElement =>
    buttons.length === 0 ? text : card(text, buttons);

  return {
    name: 'telegram',
    adapter,
    textMax: 4_096,
    // The adapter counts a text with buttons after escaping, which doubles it at most.
    buttonTextMax: 2_000,
    // In a group 20 messages a minute are taken.
    editEveryMs: 3_000,
    // The adapter's text has Markdown where the user's app formatted something.
    textOf: ({ raw }) => {
      const { text, caption } = raw as { text?: string; caption?: string };
      return text ?? caption ?? '';
    },
    post: async (thread, text, buttons) => (await adapter.postMessage(thread, message(text, buttons))).id,
    edit: async (thread, id, text, buttons) => void (await adapter.editMessage(thread, id, message(text, buttons))),
    tell: async (thread, _user, text) => void (await adapter.postMessage(thread, text)),
    ready: async () => {
      if (adapter.botUserId === undefined)
        throw new Error(`Telegram does not answer, or does not take TELEGRAM_BOT_TOKEN`);
      if (webhook?.url == null) return;
      const body = JSON.stringify({ url: webhook.url, secret_token: webhook.secret, allowed_updates: UPDATES });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${apiUrl}/bot${token}/setWebhook`, { method: 'POST', headers, body });
      const { ok, description } = (await response.json()) as { ok: boolean; description?: string };
      if (!ok) throw new Error(`Telegram does not take TELEGRAM_WEBHOOK_URL: ${description}`);
    },
  };
};
