import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Seen } from './chat-window.ts';
import { eventFrame, frameHeaders, type Socket, socketsOf } from './feishu-frames.ts';
import { createScreen, type Screen } from './screen.ts';

/** Where the fake's bot finds Feishu: the SDK can not be given an address with a port, so it goes by a proxy. */
export const feishuEnv = ({ url }: { url: string }): Record<string, string> => ({
  ...FEISHU_APP,
  LARK_DOMAIN: 'http://open.feishu.test',
  HTTP_PROXY: url,
});

export const FEISHU_APP = { LARK_APP_ID: 'cli_0123456789abcdef', LARK_APP_SECRET: 'feishu-secret' };

/** Feishu's open API with one app and its long connection, as far as the adapter uses it. It refuses what Feishu refuses. */
export interface FeishuApi {
  readonly url: string;
  readonly calls: { method: string; path: string }[];
  /** What a chat shows. */
  screen(chat: string): Screen;
  /** Sends an event over the long connection, and resolves when the bot has taken it. */
  event(type: string, event: object, id?: string): Promise<void>;
  close(): Promise<void>;
}

interface Card {
  config?: { update_multi?: boolean };
  elements: { tag: string; text?: { tag: string; content: string }; actions?: CardButton[] }[];
}
interface CardButton {
  text: { tag: string; content: string };
  value: { tripact: string };
}

/** What a card shows; throws where Feishu would, and where a text is not plain. */
const contentOf = (json: string): Pick<Seen, 'text' | 'buttons'> => {
  if (Buffer.byteLength(json) > 30 * 1024) throw new Error('the card is larger than 30 KB');
  const { config, elements } = JSON.parse(json) as Card;
  if (config?.update_multi !== true) throw new Error('the card can not be updated');
  const texts = elements.flatMap(({ text }) => text ?? []);
  const buttons = elements.flatMap(({ actions = [] }) => actions);
  if ([...texts, ...buttons.map(({ text }) => text)].some(({ tag }) => tag !== 'plain_text'))
    throw new Error('the text is not plain');
  return {
    text: texts.map(({ content }) => content).join('\n'),
    buttons: buttons.map(({ text, value }) => ({ label: text.content, action: value.tripact })),
  };
};

export const startFeishuApi = async (): Promise<FeishuApi> => {
  const screens = new Map<string, Screen>();
  /** The chat of each message, the user's too. */
  const places = new Map<string, string>();
  const calls: FeishuApi['calls'] = [];
  const taken = new Map<string, () => void>();
  let socket: Socket | null = null;
  let connected: (() => void)[] = [];
  let messages = 0;
  let events = 0;
  let url = '';
  const screen = (chat: string): Screen => {
    const known = screens.get(chat) ?? createScreen();
    screens.set(chat, known);
    return known;
  };
  const post = (chat: string, { msg_type, content }: Record<string, string>): object => {
    if (msg_type !== 'interactive') throw new Error(`a message of the type ${msg_type}`);
    const message_id = `om_bot${++messages}`;
    places.set(message_id, chat);
    screen(chat).post({ id: message_id, ...contentOf(content ?? '') });
    return { message_id };
  };

  const handle = (method: string, path: string, body: Record<string, string>, query: URLSearchParams): object => {
    if (path === '/callback/ws/endpoint') {
      if (body['AppSecret'] !== FEISHU_APP.LARK_APP_SECRET)
        return { code: 514, msg: 'the app secret is wrong', data: {} };
      const ClientConfig = { PingInterval: 120, ReconnectCount: -1, ReconnectInterval: 1, ReconnectNonce: 0 };
      return { code: 0, data: { URL: `${url.replace('http', 'ws')}/ws?device_id=1&service_id=1`, ClientConfig } };
    }
    if (path === '/open-apis/auth/v3/tenant_access_token/internal')
      return body['app_secret'] === FEISHU_APP.LARK_APP_SECRET
        ? { code: 0, tenant_access_token: 't-test', expire: 7_200 }
        : { code: 10_014, msg: 'app secret invalid' };
    if (path === '/open-apis/bot/v3/info') return { code: 0, bot: { open_id: 'ou_bot', app_name: 'Tripact' } };
    const [, of = '', reply] = /^\/open-apis\/im\/v1\/messages(?:\/(\w+))?(\/reply)?$/.exec(path) ?? [];
    if (method === 'POST' && of === '' && query.get('receive_id_type') === 'chat_id')
      return { code: 0, data: post(body['receive_id'] ?? '', body) };
    if (method === 'POST' && reply !== undefined) return { code: 0, data: post(places.get(of) ?? '', body) };
    if (method === 'PATCH') {
      screen(places.get(of) ?? '').edit({ id: of, ...contentOf(body['content'] ?? '') });
      return { code: 0, data: {} };
    }
    if (method === 'GET' && of !== '')
      return { code: 0, data: { items: [{ message_id: of, chat_id: places.get(of), msg_type: 'interactive' }] } };
    return { code: 404, msg: `there is no ${method} ${path}` };
  };

  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
    const answer = (status: number, body: object): void =>
      void response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const run = async (): Promise<void> => {
      const text = await textOf(request);
      const method = request.method ?? '';
      calls.push({ method, path: pathname });
      answer(
        200,
        handle(method, pathname, text === '' ? {} : (JSON.parse(text) as Record<string, string>), searchParams),
      );
    };
    run().catch((error: unknown) => answer(400, { code: 230_001, msg: (error as Error).message }));
  });
  const sockets = socketsOf(server);
  sockets.on('connection', (opened) => {
    socket = opened;
    opened.on('message', (data) => {
      const { message_id } = frameHeaders(data);
      if (message_id === undefined) return;
      taken.get(message_id)?.();
      taken.delete(message_id);
    });
    for (const resolve of connected.splice(0)) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    calls,
    screen,
    event: async (event_type, event, event_id = `ev${++events}`) => {
      if (socket?.readyState !== 1) await new Promise<void>((resolve) => void connected.push(resolve));
      const { message } = event as { message?: { message_id: string; chat_id: string } };
      if (message !== undefined) places.set(message.message_id, message.chat_id);
      const id = `frame${++events}`;
      const header = { event_id, event_type, create_time: '1800000000000', app_id: FEISHU_APP.LARK_APP_ID };
      const done = new Promise<void>((resolve) => void taken.set(id, resolve));
      socket!.send(eventFrame(id, { schema: '2.0', header, event }));
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
