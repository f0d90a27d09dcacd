import { extname } from 'node:path';
import { DWClient, type DWClientDownStream, type RobotMessage, TOPIC_ROBOT } from 'dingtalk-stream';
import type { BotConfig } from '../config.ts';
import { download, type SentFile, type SentFiles, takenOf } from '../sent-file.ts';
import { CALL_MS_MAX, type Platform } from './platform.ts';

/** A message to the bot, in a group one that mentions it. */
export interface DingTalkMessage extends SentFiles {
  id: string;
  thread: string;
  user: string;
  text: string;
}

/** The content of a message that is more than text: a picture, a file, or parts of which each is words or a picture. */
interface Content {
  downloadCode?: string;
  fileName?: string;
  richText?: { text?: string; downloadCode?: string }[];
}

/** The types of messages whose content is a file to read. */
const READABLE = ['picture', 'file', 'richText'];

const fileOf = ({ downloadCode: code, fileName }: Content): SentFile[] =>
  code === undefined ? [] : [{ name: fileName ?? null, size: null, ref: { code } }];

/** DingTalk, for which the chat package has no adapter. It receives by itself; its messages have no buttons and are not edited. */
export interface DingTalk extends Platform {
  /** Opens the stream. Each message is acknowledged once `receive` has kept it; one that is not, DingTalk delivers again. */
  connect(receive: (message: DingTalkMessage) => Promise<void>): Promise<void>;
  disconnect(): void;
}

/** A token is good for two hours; it is asked for anew this long before, in milliseconds. */
const TOKEN_MARGIN_MS = 300_000;

/** In which conversation a thread is: with one user, or in a group. */
const SINGLE = '1';

/** The stream's client at any address: its own is fixed, and asks for the token with the secret in a URL. */
class StreamClient extends DWClient {
  readonly #open: () => Promise<{ endpoint: string; ticket: string }>;

  constructor(clientId: string, clientSecret: string, open: () => Promise<{ endpoint: string; ticket: string }>) {
    super({ clientId, clientSecret, keepAlive: true });
    this.#open = open;
  }

  override async getEndpoint(): Promise<this> {
    const { endpoint, ticket } = await this.#open();
    return Object.assign(this, { dw_url: `${endpoint}?ticket=${encodeURIComponent(ticket)}` });
  }
}

/** DingTalk by its stream mode, which the app's secret opens: no public address, nothing to sign. */
export const createDingTalk = ({
  clientId,
  clientSecret,
  apiUrl,
  mediaUrl,
}: NonNullable<BotConfig['dingtalk']>): DingTalk => {
  let token: { value: string; until: number } | null = null;

  const call = async <Body>(path: string, body: object, headers: Record<string, string> = {}): Promise<Body> => {
    const response = await fetch(apiUrl + path, {
      method: 'POST',
      signal: AbortSignal.timeout(CALL_MS_MAX),
      headers: { 'content-type': 'application/json', accept: 'application/json', ...headers },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`DingTalk refuses ${path}: ${text.slice(0, 300)}`);
    return JSON.parse(text) as Body;
  };
  const accessToken = async (): Promise<string> => {
    if (token === null || token.until < Date.now()) {
      const asked = { appKey: clientId, appSecret: clientSecret };
      const { accessToken: value, expireIn } = await call<{ accessToken: string; expireIn: number }>(
        '/v1.0/oauth2/accessToken',
        asked,
      );
      token = { value, until: Date.now() + expireIn * 1_000 - TOKEN_MARGIN_MS };
    }
    return token.value;
  };
  /** Posts a message of one of DingTalk's types. */
  const send = async (thread: string, msgKey: string, params: Record<string, string>): Promise<string> => {
    const [, type, encoded = ''] = thread.split(':');
    const id = Buffer.from(encoded, 'base64url').toString();
    const isSingle = type === SINGLE;
    const { processQueryKey } = await call<{ processQueryKey: string }>(
      isSingle ? '/v1.0/robot/oToMessages/batchSend' : '/v1.0/robot/groupMessages/send',
      {
        robotCode: clientId,
        ...(isSingle ? { userIds: [id] } : { openConversationId: id }),
        msgKey,
        msgParam: JSON.stringify(params),
      },
      { 'x-acs-dingtalk-access-token': await accessToken() },
    );
    return processQueryKey;
  };
  /** A text, which DingTalk shows as it stands. */
  const post = (thread: string, content: string): Promise<string> => send(thread, 'sampleText', { content });
  /** Hands a file over, by the older of DingTalk's addresses, and gives its id. */
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>): Promise<string> => {
    const form = new FormData();
    form.set('type', 'file');
    form.set('media', new Blob([bytes]), name);
    const query = new URLSearchParams({ access_token: await accessToken() });
    const signal = AbortSignal.timeout(CALL_MS_MAX);
    const response = await fetch(`${mediaUrl}/media/upload?${query}`, { method: 'POST', body: form, signal });
    const text = await response.text();
    const { errcode, media_id } = (response.ok ? JSON.parse(text) : {}) as { errcode?: number; media_id?: string };
    if (errcode !== 0 || media_id === undefined) throw new Error(`DingTalk refuses a file: ${text.slice(0, 300)}`);
    return media_id;
  };

  const client = new StreamClient(clientId, clientSecret, () =>
    call('/v1.0/gateway/connections/open', {
      clientId,
      clientSecret,
      ua: 'tripact-chat-bot',
      subscriptions: [{ type: 'CALLBACK', topic: TOPIC_ROBOT }],
    }),
  );
  /** The message; null where there is nobody to answer: DingTalk names no user to an app that is not published. */
  const messageIn = ({ data }: DWClientDownStream): DingTalkMessage | null => {
    const robotMessage = JSON.parse(data) as RobotMessage & { content?: Content };
    const { msgId, msgtype, conversationType, conversationId, senderStaffId = '', text, content = {} } = robotMessage;
    // A message with pictures between its words.
    const parts = content.richText ?? [];
    const words = text?.content ?? parts.map((part) => part.text ?? '').join('');
    const place = conversationType === SINGLE ? senderStaffId : conversationId;
    if (!place) return null;
    const thread = `dingtalk:${conversationType}:${Buffer.from(place).toString('base64url')}`;
    const isRead = msgtype === 'text' || READABLE.includes(msgtype);
    const files = takenOf(isRead ? [content, ...parts].flatMap(fileOf) : [], !isRead);
    return { id: msgId, thread, user: senderStaffId, text: words.trim(), ...files };
  };

  return {
    name: 'dingtalk',
    textMax: 4_000,
    editEveryMs: null,
    post: (thread, text) => post(thread, text),
    edit: async () => {},
    fetchFile: async ({ ref: { code = '' } }) => {
      const { downloadUrl } = await call<{ downloadUrl: string }>(
        '/v1.0/robot/messageFiles/download',
        { downloadCode: code, robotCode: clientId },
        { 'x-acs-dingtalk-access-token': await accessToken() },
      );
      return download(downloadUrl);
    },
    sendFile: async (thread, fileName, bytes) => {
      const mediaId = await upload(fileName, bytes);
      await send(thread, 'sampleFile', { mediaId, fileName, fileType: extname(fileName).slice(1).toLowerCase() });
    },
    tell: async (thread, _user, text) => void (await post(thread, text)),
    connect: async (receive) => {
      await accessToken().catch((error: unknown) => {
        const why = 'DingTalk does not answer, or does not take DINGTALK_CLIENT_ID and DINGTALK_CLIENT_SECRET';
        throw new Error(`${why}: ${String(error)}`);
      });
      // An error thrown in the listener itself would end the bot.
      const keep = async (downstream: DWClientDownStream): Promise<void> => {
        const message = messageIn(downstream);
        if (message !== null) return receive(message);
        console.error('A message of DingTalk names no user to answer: publish a version of the app, then write again');
      };
      client.registerCallbackListener(TOPIC_ROBOT, (downstream) => {
        keep(downstream).then(
          () => client.socketCallBackResponse(downstream.headers.messageId, {}),
          (error: unknown) => console.error(`A message of DingTalk's is not kept: ${String(error)}`),
        );
      });
      await client.connect();
    },
    disconnect: () => client.disconnect(),
  };
};
