import type { IncomingMessage } from 'node:http';
import { buffer, json } from 'node:stream/consumers';
import { PNG } from '../service/sample-files.ts';
import type { ChatWindow } from './chat-window.ts';
import { contentTypeOf, type PlatformReply, type PlatformServer, startPlatform } from './platform-server.ts';

const APP = { id: 'dingtest', secret: 'dingtalk-secret' };

/**
 * DingTalk's stream gateway and robot API with one app, as far as the bot uses them. Its screens belong to users and
 * conversations.
 */
export interface DingTalkApi extends PlatformServer {
  /** Sends a message over the stream, and resolves when the bot has acknowledged it. `more` overrides its fields. */
  message(message: {
    type: '1' | '2';
    conversation: string;
    user?: string;
    text: string;
    id?: string;
    more?: object;
  }): Promise<void>;
}

/** The bot's environment. */
export const dingTalkEnv = ({ url }: DingTalkApi): Record<string, string> => ({
  DINGTALK_CLIENT_ID: APP.id,
  DINGTALK_CLIENT_SECRET: APP.secret,
  DINGTALK_API_URL: url,
  DINGTALK_MEDIA_URL: url,
});

export const startDingTalkApi = async (): Promise<DingTalkApi> => {
  let count = 0;
  /** The text that a file is shown as, by its id. */
  const media = new Map<string, string>();
  const upload = async (request: IncomingMessage): Promise<PlatformReply> => {
    const form = await new Response(await buffer(request), { headers: contentTypeOf(request) }).formData();
    const file = form.get('media') as File;
    if (form.get('type') !== 'file' || file.name === 'refused.md')
      return [200, { errcode: 40_005, errmsg: 'the file type is not taken' }];
    const media_id = `@media${++count}`;
    media.set(media_id, `file ${file.name}: ${await file.text()}`);
    return [200, { errcode: 0, errmsg: 'ok', media_id, type: 'file' }];
  };
  const posted = (conversation: string, { robotCode, msgKey, msgParam }: Record<string, string>): object => {
    const { content = '', mediaId = '', fileType } = JSON.parse(msgParam ?? '') as Record<string, string>;
    const text = msgKey === 'sampleFile' && fileType === 'md' ? (media.get(mediaId) ?? '') : content;
    if (robotCode !== APP.id || !['sampleText', 'sampleFile'].includes(msgKey ?? '') || text === '')
      throw new Error('invalidParameter');
    const id = `m${++count}`;
    platform.screen(conversation).post({ id, text, buttons: [] });
    return { processQueryKey: id };
  };
  const handle = (path: string, token: unknown, body: Record<string, string> & { userIds?: string[] }): object => {
    if (path === '/v1.0/oauth2/accessToken' && body['appKey'] === APP.id && body['appSecret'] === APP.secret)
      return { accessToken: 'token', expireIn: 7_200 };
    if (path === '/v1.0/gateway/connections/open' && body['clientSecret'] === APP.secret)
      return { endpoint: `${platform.url.replace('http', 'ws')}/connect`, ticket: 'ticket' };
    if (token !== 'token') throw new Error('invalidAuthentication');
    if (path === '/v1.0/robot/messageFiles/download' && body['downloadCode'] === 'red')
      return { downloadUrl: `${platform.url}/oss/red.png` };
    if (path === '/v1.0/robot/oToMessages/batchSend') return posted(body.userIds?.[0] ?? '', body);
    if (path === '/v1.0/robot/groupMessages/send') return posted(body['openConversationId'] ?? '', body);
    throw new Error(`there is no ${path}`);
  };
  const platform = await startPlatform(
    async (request) => {
      if (request.url === '/oss/red.png') return [200, PNG];
      if (request.url === '/media/upload?access_token=token') return upload(request);
      const body = (await json(request)) as Record<string, string>;
      return [200, handle(request.url ?? '', request.headers['x-acs-dingtalk-access-token'], body)];
    },
    (reason) => [400, { code: reason }],
  );
  const deliver = platform.takeSocket(
    (data) => (JSON.parse(Buffer.from(data).toString()) as { headers: { messageId: string } }).headers.messageId,
  );
  return {
    ...platform,
    message: async ({ type, conversation, user, text, id = `msg${++count}`, more = {} }) => {
      const messageId = `frame${++count}`;
      const data = {
        msgId: id,
        conversationType: type,
        conversationId: conversation,
        senderStaffId: user,
        senderNick: user,
        robotCode: APP.id,
        msgtype: 'text',
        text: { content: ` ${text}` },
        ...more,
      };
      const headers = { topic: '/v1.0/im/bot/messages/get', messageId, contentType: 'application/json', time: '1' };
      const frame = { specVersion: '1.0', type: 'CALLBACK', headers, data: JSON.stringify(data) };
      await deliver(messageId, JSON.stringify(frame));
    },
  };
};

let users = 0;

/** Opens a direct chat with the bot. */
export const openDingTalkChat = (api: DingTalkApi): ChatWindow & { user: string } => {
  const user = `staff${++users}`;
  return {
    ...api.screen(user),
    user,
    session: `dingtalk_1_${Buffer.from(user).toString('base64url')}`,
    type: (text) => api.message({ type: '1', conversation: `cid${user}`, user, text }),
    press: async () => {
      throw new Error('there are no buttons');
    },
  };
};
