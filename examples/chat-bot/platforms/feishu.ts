import { createLarkAdapter } from '@larksuite/vercel-chat-adapter';
import {
  createLarkChannel,
  defaultHttpInstance,
  type LarkChannel,
  LoggerLevel,
  type NormalizedMessage,
  type SendInput,
} from '@larksuiteoapi/node-sdk';
import type { Button } from '../buttons.ts';
import type { BotConfig } from '../config.ts';
import { readFile, type SentFile, takenOf } from '../sent-file.ts';
import type { ChatPlatform } from './chat-platform.ts';
import { CALL_MS_MAX } from './platform.ts';

/** A card, because Feishu edits a text twenty times at most and a card as often as one likes. `plain_text` formats and mentions nothing. */
const card = (text: string, buttons: readonly Button[]): object => ({
  config: { wide_screen_mode: true, update_multi: true },
  elements: [
    { tag: 'div', text: { tag: 'plain_text', content: text } },
    ...(buttons.length === 0
      ? []
      : [
          {
            tag: 'action',
            actions: buttons.map(({ label, action }) => ({
              tag: 'button',
              text: { tag: 'plain_text', content: label },
              value: { tripact: action },
            })),
          },
        ]),
  ],
});

/** The mark that the adapter writes into a text in the place of a picture or a file. */
const PLACES = /!\[image\]\([^)]*\)|<file key="[^"]*"[^>]*\/>/g;

/** Feishu or Lark, over the long connection that the app's secret opens. */
export const createFeishu = ({ appId, appSecret, domain }: NonNullable<BotConfig['feishu']>): ChatPlatform => {
  let channel: LarkChannel | null = null;
  // By itself it waits for ever.
  defaultHttpInstance.defaults.timeout = CALL_MS_MAX;
  const adapter = createLarkAdapter({
    appId,
    appSecret,
    channelFactory: (options) => {
      const created = createLarkChannel({ ...options, domain, loggerLevel: LoggerLevel.warn });
      const connect = created.connect.bind(created);
      created.connect = () =>
        connect().catch((error: unknown) => {
          throw new Error(`Feishu does not answer, or does not take LARK_APP_ID and LARK_APP_SECRET: ${String(error)}`);
        });
      channel = created;
      return created;
    },
  });
  const open = (): LarkChannel => {
    if (channel === null) throw new Error('Feishu is not connected');
    return channel;
  };
  const send = async (thread: string, message: SendInput): Promise<string> => {
    const { chatId, rootId } = adapter.decodeThreadId(thread);
    const options = rootId === '' ? undefined : { replyTo: rootId };
    return (await open().send(chatId, message, options)).messageId;
  };
  const post = (thread: string, text: string, buttons: readonly Button[]): Promise<string> =>
    send(thread, { card: card(text, buttons) });

  return {
    name: 'lark',
    adapter,
    // A card has 30 KB, and a character of Chinese takes three of them.
    textMax: 4_000,
    editEveryMs: 1_000,
    // Once connected, messages are received.
    check: async () => {},
    textOf: ({ text }) => text.replaceAll(PLACES, ''),
    filesOf: ({ raw }) => {
      const { messageId, resources } = raw as NormalizedMessage;
      const read = resources.filter(({ type }) => type === 'image' || type === 'file');
      const files = read.map(({ type, fileKey: file_key, fileName }): SentFile => {
        return { name: fileName ?? null, size: null, ref: { message_id: messageId, file_key, type } };
      });
      return takenOf(files, read.length < resources.length);
    },
    fetchFile: async ({ ref: { message_id = '', file_key = '', type = '' } }) => {
      const of = { path: { message_id, file_key }, params: { type } };
      const { getReadableStream } = await open().rawClient.im.v1.messageResource.get(of);
      return readFile(getReadableStream());
    },
    post,
    edit: async (_thread, message, text, buttons) => open().updateCard(message, card(text, buttons)),
    sendFile: async (thread, fileName, bytes) =>
      void (await send(thread, { file: { source: Buffer.from(bytes), fileName } })),
    tell: async (thread, _user, text) => void (await post(thread, text, [])),
  };
};
