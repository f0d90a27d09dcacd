import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { ChatWindow } from './chat-window.ts';
import { type Socket, socketsOf } from './feishu-frames.ts';
import { createScreen, type Screen } from './screen.ts';

const APP = { id: 'dingtest', secret: 'dingtalk-secret' };

/** DingTalk's stream gateway and robot API with one app, as far as the bot uses them. */
export interface DingTalkApi {
  readonly url: string;
  /** What a conversation shows, by its user or its id. */
  screen(conversation: string): Screen;
  /** Sends a message over the stream, and resolves when the bot has acknowledged it. */
  message(message: { type: '1' | '2'; conversation: string; user?: string; text: string; id?: string }): Promise<void>;
  close(): Promise<void>;
}

/** The bot's environment. */
export const dingTalkEnv = ({ url }: DingTalkApi): Record<string, string> => ({
  DINGTALK_CLIENT_ID: APP.id,
  DINGTALK_CLIENT_SECRET: APP.secret,
  DINGTALK_API_URL: url,
});

export const startDingTalkApi = async (): Promise<DingTalkApi> => {
  const screens = new Map<string, Screen>();
  const taken = new Map<string, () => void>();
  let socket: Socket | null = null;
  let connected: (() => void)[] = [];
  let count = 0;
  let url = '';
  const screen = (conversation: string): Screen => {
    const known = screens.get(conversation) ?? createScreen();
    screens.set(conversation, known);
    return known;
  };
  const posted = (conversation: string, { robotCode, msgKey, msgParam }: Record<string, string>): object => {
    const { content } = JSON.parse(msgParam ?? '') as { content: string };
    if (robotCode !== APP.id || msgKey !== 'sampleText' || content === '') throw new Error('invalidParameter');
    const id = `m${++count}`;
    screen(conversation).post({ id, text: content, buttons: [] });
    return { processQueryKey: id };
  };
  const handle = (
    path: string,
    token: string | undefined,
    body: Record<string, string> & { userIds?: string[] },
  ): object => {
    if (path === '/v1.0/oauth2/accessToken' && body['appKey'] === APP.id && body['appSecret'] === APP.secret)
      return { accessToken: 'token', expireIn: 7_200 };
    if (path === '/v1.0/gateway/connections/open' && body['clientSecret'] === APP.secret)
      return { endpoint: `${url.replace('http', 'ws')}/connect`, ticket: 'ticket' };
    if (token !== 'token') throw new Error('invalidAuthentication');
    if (path === '/v1.0/robot/oToMessages/batchSend') return posted(body.userIds?.[0] ?? '', body);
    if (path === '/v1.0/robot/groupMessages/send') return posted(body['openConversationId'] ?? '', body);
    throw new Error(`there is no ${path}`);
  };

  const server = createServer((request, response) => {
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const run = async (): Promise<void> => {
      const body = (await json(request)) as Record<string, string>;
      answer(
        200,
        handle(request.url ?? '', request.headers['x-acs-dingtalk-access-token'] as string | undefined, body),
      );
    };
    run().catch((error: unknown) => answer(400, { code: (error as Error).message }));
  });
  const sockets = socketsOf(server);
  sockets.on('connection', (opened) => {
    socket = opened;
    opened.on('message', (data) => {
      const { headers } = JSON.parse(Buffer.from(data).toString()) as { headers: { messageId: string } };
      taken.get(headers.messageId)?.();
    });
    for (const resolve of connected.splice(0)) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    screen,
    message: async ({ type, conversation, user, text, id = `msg${++count}` }) => {
      if (socket?.readyState !== 1) await new Promise<void>((resolve) => void connected.push(resolve));
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
      };
      const headers = { topic: '/v1.0/im/bot/messages/get', messageId, contentType: 'application/json', time: '1' };
      const done = new Promise<void>((resolve) => void taken.set(messageId, resolve));
      const frame = { specVersion: '1.0', type: 'CALLBACK', headers, data: JSON.stringify(data) };
      socket!.send(JSON.stringify(frame));
      await done;
    },
    close: async () => {
      connected = [];
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
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
