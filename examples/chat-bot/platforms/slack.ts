import { createSlackAdapter } from '@chat-adapter/slack';
import type { Button } from '../buttons.ts';
import type { BotConfig } from '../config.ts';
import { download, type SentFile, takenOf } from '../sent-file.ts';
import type { ChatPlatform } from './chat-platform.ts';
import { CALL_MS_MAX } from './platform.ts';

/** Longest label of a button. */
const LABEL_MAX = 75;

/** Slack's own three signs, for the text of notifications, in which it reads mentions and links. */
const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** Undoes Slack's markup of a typed text: `<@U1>`, `<https://example.com|example>`, `&lt;`. */
const unescaped = (text: string): string =>
  text
    .replaceAll(
      /<([@#!])([^>|]*)(?:\|([^>]*))?>/g,
      (_, sign: string, id: string, name?: string) => `${sign === '!' ? '@' : sign}${name ?? id}`,
    )
    .replaceAll(/<([^>|]*)(?:\|[^>]*)?>/g, '$1')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');

/** The text as a block of plain text, which formats and mentions nothing, and the buttons below it. */
const blocks = (text: string, buttons: readonly Button[]) => [
  { type: 'section' as const, text: { type: 'plain_text' as const, text, emoji: false } },
  ...(buttons.length === 0
    ? []
    : [
        {
          type: 'actions' as const,
          elements: buttons.map(({ label, action }, i) => ({
            type: 'button' as const,
            action_id: `tripact:${i}`,
            text: { type: 'plain_text' as const, text: label.slice(0, LABEL_MAX), emoji: false },
            value: action,
          })),
        },
      ]),
];

/** A file as an event of Slack's has it. */
interface SlackFile {
  name?: string;
  size?: number;
  mimetype?: string;
  url_private?: string;
}

/** True for what a model may look at: a picture or a document. */
const isReadable = ({ mimetype = '' }: SlackFile): boolean => !/^(audio|video)\//.test(mimetype);

/** Slack, by its calls with their signatures checked, or by Socket Mode. */
export const createSlack = ({
  token,
  apiUrl,
  signingSecret,
  appToken,
}: NonNullable<BotConfig['slack']>): ChatPlatform => {
  const adapter = createSlackAdapter({
    botToken: token,
    apiUrl,
    // Its own retries would go on for half an hour without a message, and it waits for ever.
    webClientOptions: { retryConfig: { retries: 2 }, timeout: CALL_MS_MAX },
    ...(signingSecret !== null ? { mode: 'webhook', signingSecret } : { mode: 'socket', appToken: appToken! }),
  });
  const place = (thread: string) => {
    const { channel, threadTs } = adapter.decodeThreadId(thread);
    return { token, channel, ...(threadTs !== '' && { thread_ts: threadTs }) };
  };
  /** The token goes to Slack's own addresses alone. */
  const isOfSlack = (url: string): boolean => {
    const { origin, protocol, hostname } = new URL(url);
    return origin === new URL(apiUrl).origin || (protocol === 'https:' && /(^|\.)slack\.com$/.test(hostname));
  };
  const content = (text: string, buttons: readonly Button[]) => ({
    text: escaped(text),
    blocks: blocks(text, buttons),
  });

  return {
    name: 'slack',
    adapter,
    textMax: 3_000,
    editEveryMs: 1_500,
    check: async () => {
      await adapter.webClient.auth.test({ token }).catch((error: unknown) => {
        throw new Error(`Slack does not answer, or does not take SLACK_BOT_TOKEN: ${String(error)}`);
      });
    },
    // The adapter's text has lost lists and underscores.
    textOf: ({ raw }) => unescaped((raw as { text?: string }).text ?? ''),
    filesOf: ({ raw }) => {
      const { files: all = [] } = raw as { files?: SlackFile[] };
      const files = all.filter(isReadable).flatMap(({ name, size, url_private: url }): SentFile[] => {
        return url === undefined ? [] : [{ name: name ?? null, size: size ?? null, ref: { url } }];
      });
      return takenOf(files, files.length < all.length);
    },
    fetchFile: async ({ ref: { url = '' } }) => {
      if (!isOfSlack(url)) throw new Error('the file is not at an address of Slack');
      return download(url, { authorization: `Bearer ${token}` });
    },
    post: async (thread, text, buttons) => {
      const unfurl = { unfurl_links: false, unfurl_media: false };
      const { ts } = await adapter.webClient.chat.postMessage({
        ...place(thread),
        ...content(text, buttons),
        ...unfurl,
      });
      return ts!;
    },
    edit: async (thread, ts, text, buttons) => {
      const { channel } = adapter.decodeThreadId(thread);
      await adapter.webClient.chat.update({ token, channel, ts, ...content(text, buttons) });
    },
    sendFile: async (thread, filename, bytes) => {
      const { channel: channel_id, thread_ts } = place(thread);
      const at = thread_ts === undefined ? { channel_id } : { channel_id, thread_ts };
      await adapter.webClient.filesUploadV2({ token, ...at, filename, file: Buffer.from(bytes) });
    },
    tell: async (thread, user, text) => {
      await adapter.webClient.chat.postEphemeral({ ...place(thread), user, ...content(text, []) });
    },
  };
};
