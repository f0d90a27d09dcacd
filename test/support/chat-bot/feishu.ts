import type { IncomingMessage } from 'node:http';
import { buffer, text as textOf } from 'node:stream/consumers';
import { PNG } from '../service/sample-files.ts';
import type { ChatWindow, Seen } from './chat-window.ts';
import { eventFrame, messageIdIn } from './feishu-frames.ts';
import { contentTypeOf, type PlatformReply, type PlatformServer, startPlatform } from './platform-server.ts';

/** How the bot reaches the fake Feishu: the SDK accepts no address with a port, so it uses a proxy. */
export const feishuEnv = ({ url }: { url: string }): Record<string, string> => ({
  ...FEISHU_APP,
  LARK_DOMAIN: 'http://open.feishu.test',
  HTTP_PROXY: url,
});

export const FEISHU_APP = { LARK_APP_ID: 'cli_0123456789abcdef', LARK_APP_SECRET: 'feishu-secret' };

/**
 * Feishu's open API with one app and its long connection, as far as the adapter uses it. Refuses what Feishu refuses.
 */
export interface FeishuApi extends PlatformServer {
  /** Sends an event over the long connection, and resolves when the bot has taken it. */
  event(type: string, event: object, id?: string): Promise<void>;
}

interface Card {
  config?: { update_multi?: boolean };
  elements: { tag: string; text?: { tag: string; content: string }; actions?: CardButton[] }[];
}
interface CardButton {
  text: { tag: string; content: string };
  value: { tripact: string };
}

/** A card as shown. Throws where Feishu would, and if a text is not plain. */
const contentOf = (json: string): Pick<Seen, 'text' | 'buttons'> => {
  if (Buffer.byteLength(json) > 30 * 1024) throw new Error('the card is larger than 30 KB');
  const { config, elements } = JSON.parse(json) as Card;
  if (config?.update_multi !== true) throw new Error('the card cannot be updated');
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
  /** The chat of each message, including the user's. */
  const places = new Map<string, string>();
  /** The text that a file is shown as, by its key. */
  const uploads = new Map<string, string>();
  let messages = 0;
  let events = 0;
  const fileOf = (json: string): Pick<Seen, 'text' | 'buttons'> => {
    const shown = uploads.get((JSON.parse(json) as { file_key: string }).file_key);
    if (shown === undefined) throw new Error('the file is not there');
    return { text: shown, buttons: [] };
  };
  const upload = async (request: IncomingMessage): Promise<PlatformReply> => {
    const form = await new Response(await buffer(request), { headers: contentTypeOf(request) }).formData();
    const [name, file] = [form.get('file_name'), form.get('file')];
    if (name === 'refused.md') return [400, { code: 234_006, msg: 'the file type is not taken' }];
    const file_key = `file_${uploads.size}`;
    // The SDK sends bytes without a name of their own, as a field.
    uploads.set(file_key, `file ${name}: ${typeof file === 'string' ? file : await file?.text()}`);
    return [200, { code: 0, data: { file_key } }];
  };
  const post = (chat: string, { msg_type, content }: Record<string, string>): object => {
    if (msg_type !== 'interactive' && msg_type !== 'file') throw new Error(`a message of the type ${msg_type}`);
    const message_id = `om_bot${++messages}`;
    places.set(message_id, chat);
    platform.screen(chat).post({ id: message_id, ...(msg_type === 'file' ? fileOf : contentOf)(content ?? '') });
    return { message_id };
  };

  const handle = (
    method: string,
    path: string,
    body: Record<string, string>,
    query: URLSearchParams,
  ): object | Buffer => {
    if (path === '/callback/ws/endpoint') {
      if (body['AppSecret'] !== FEISHU_APP.LARK_APP_SECRET)
        return { code: 514, msg: 'the app secret is wrong', data: {} };
      const ClientConfig = { PingInterval: 120, ReconnectCount: -1, ReconnectInterval: 1, ReconnectNonce: 0 };
      return {
        code: 0,
        data: { URL: `${platform.url.replace('http', 'ws')}/ws?device_id=1&service_id=1`, ClientConfig },
      };
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
    if (path.endsWith('/resources/img_red') && query.get('type') === 'image') return PNG;
    if (method === 'PATCH') {
      platform.screen(places.get(of) ?? '').edit({ id: of, ...contentOf(body['content'] ?? '') });
      return { code: 0, data: {} };
    }
    if (method === 'GET' && of !== '')
      return { code: 0, data: { items: [{ message_id: of, chat_id: places.get(of), msg_type: 'interactive' }] } };
    return { code: 404, msg: `there is no ${method} ${path}` };
  };

  const platform = await startPlatform(
    async (request) => {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost');
      if (pathname === '/open-apis/im/v1/files') return upload(request);
      const text = await textOf(request);
      const body = text === '' ? {} : (JSON.parse(text) as Record<string, string>);
      return [200, handle(request.method ?? '', pathname, body, searchParams)];
    },
    (reason) => [400, { code: 230_001, msg: reason }],
  );
  const deliver = platform.takeSocket(messageIdIn);
  return {
    ...platform,
    event: async (event_type, event, event_id = `ev${++events}`) => {
      const { message } = event as { message?: { message_id: string; chat_id: string } };
      if (message !== undefined) places.set(message.message_id, message.chat_id);
      const id = `frame${++events}`;
      const header = { event_id, event_type, create_time: '1800000000000', app_id: FEISHU_APP.LARK_APP_ID };
      await deliver(id, eventFrame(id, { schema: '2.0', header, event }));
    },
  };
};

let chats = 0;
let userMessages = 0;

/** A user's message as Feishu's event has it. */
export const feishuMessage = (
  { chat, user = 'ou_user', type = 'p2p', root }: { chat: string; user?: string; type?: string; root?: string },
  text: string,
  message_id = `om_user${++userMessages}`,
): object => ({
  sender: { sender_id: { open_id: user }, sender_type: 'user', tenant_key: 't' },
  message: {
    message_id,
    create_time: '1800000000000',
    chat_id: chat,
    chat_type: type,
    message_type: 'text',
    content: JSON.stringify({ text }),
    ...(root !== undefined && { root_id: root }),
    ...(type === 'group' && { mentions: [{ key: '@_user_1', id: { open_id: 'ou_bot' }, name: 'Tripact' }] }),
  },
});

/** Opens a direct chat with the bot. */
export const openFeishuChat = (api: FeishuApi): ChatWindow & { chat: string } => {
  const chat = `oc_${String(++chats).padStart(32, '0')}`;
  const screen = api.screen(chat);
  return {
    ...screen,
    chat,
    session: `lark_${chat}`,
    type: (text) => api.event('im.message.receive_v1', feishuMessage({ chat }, text)),
    press: (message, label, user = 'ou_user') => {
      const action = message.buttons.find((one) => one.label === label)?.action;
      return api.event('card.action.trigger', {
        operator: { open_id: user },
        context: { open_message_id: message.id, open_chat_id: chat },
        action: { tag: 'button', value: { tripact: action } },
      });
    },
  };
};
