import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text as textOf } from 'node:stream/consumers';
import type { Seen } from './chat-window.ts';
import { type Socket, socketsOf } from './feishu-frames.ts';
import { createScreen, type Screen } from './screen.ts';

/** Slack's Web API with one app, as far as the adapter uses it. It refuses what Slack refuses. */
export interface SlackApi {
  /** For `SLACK_API_URL`. */
  readonly url: string;
  readonly calls: { method: string; body: Record<string, string> }[];
  /** What a thread shows: a channel, and the message that it hangs on, or none. */
  screen(channel: string, thread?: string): Screen;
  /** Sends something over Socket Mode, and resolves when the app has acknowledged it. */
  socket(type: 'events_api' | 'interactive' | 'slash_commands', payload: unknown): Promise<void>;
  close(): Promise<void>;
}

interface Block {
  type: string;
  text?: { type: string; text: string };
  elements?: { action_id: string; text: { text: string }; value: string }[];
}

/** What a message shows; throws where Slack would, and where a text is not plain. */
const contentOf = ({ text = '', blocks = '[]' }: Record<string, string>): Pick<Seen, 'text' | 'buttons'> => {
  if (/<|>|&(?!amp;|lt;|gt;)/.test(text)) throw new Error('the notification mentions or links something');
  const parsed = JSON.parse(blocks) as Block[];
  const sections = parsed.filter(({ type }) => type === 'section').map((block) => block.text!);
  for (const { type, text } of sections) {
    if (type !== 'plain_text') throw new Error('the text is not plain');
    if (text.length === 0 || text.length > 3_000) throw new Error('invalid_blocks');
  }
  const elements = parsed.flatMap((block) => block.elements ?? []);
  if (elements.length > 25 || new Set(elements.map(({ action_id }) => action_id)).size < elements.length)
    throw new Error('invalid_blocks');
  if (elements.some(({ text, value }) => text.text.length > 75 || value.length > 2_000))
    throw new Error('invalid_blocks');
  const buttons = elements.map(({ text, value }) => ({ label: text.text, action: value }));
  return { text: sections.map((section) => section.text).join('\n'), buttons };
};

export const startSlackApi = async (): Promise<SlackApi> => {
  const screens = new Map<string, Screen>();
  const places = new Map<string, Screen>();
  const calls: SlackApi['calls'] = [];
  const taken = new Map<string, () => void>();
  let socket: Socket | null = null;
  let connected: (() => void)[] = [];
  let messages = 0;
  let url = '';
  const screen = (channel: string, thread = ''): Screen => {
    const name = `${channel}:${thread}`;
    const known = screens.get(name) ?? createScreen();
    screens.set(name, known);
    return known;
  };
  const nextTs = (): string => `1800000000.${String(++messages).padStart(6, '0')}`;

  const methods: Record<string, (body: Record<string, string>) => object> = {
    'auth.test': () => ({ user_id: 'UBOT', bot_id: 'BBOT', user: 'tripact', team_id: 'T1' }),
    'apps.connections.open': () => ({ url: `${url.replace('http', 'ws')}/socket` }),
    'users.info': ({ user }) => ({ user: { id: user, name: user, real_name: `User ${user}`, profile: {} } }),
    'chat.postMessage': (body) => {
      const { channel = '', thread_ts = '' } = body;
      const ts = nextTs();
      screen(channel, thread_ts).post({ id: ts, ...contentOf(body) });
      places.set(`${channel}:${ts}`, screen(channel, thread_ts));
      return { channel, ts, message: { ts } };
    },
    'chat.update': (body) => {
      const { channel = '', ts = '' } = body;
      const place = places.get(`${channel}:${ts}`);
      if (place === undefined) throw new Error('message_not_found');
      place.edit({ id: ts, ...contentOf(body) });
      return { channel, ts };
    },
    'chat.postEphemeral': (body) => {
      const { channel = '', thread_ts = '', user = '' } = body;
      const ts = nextTs();
      screen(channel, thread_ts).post({ id: ts, ...contentOf(body), only: user });
      return { message_ts: ts };
    },
  };

  const server = createServer((request, response) => {
    const method = (request.url ?? '').replace(/^\/api\//, '');
    const answer = (body: object): void =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body));
    const run = async (): Promise<void> => {
      const body = Object.fromEntries(new URLSearchParams(await textOf(request)));
      const token = request.headers.authorization?.replace('Bearer ', '') ?? body['token'];
      if (token !== (method === 'apps.connections.open' ? 'xapp-test' : 'xoxb-test'))
        return answer({ ok: false, error: 'invalid_auth' });
      calls.push({ method, body });
      const call = methods[method];
      answer(call === undefined ? { ok: false, error: 'unknown_method' } : { ok: true, ...call(body) });
    };
    run().catch((error: unknown) => answer({ ok: false, error: (error as Error).message }));
  });
  const sockets = socketsOf(server);
  sockets.on('connection', (opened) => {
    socket = opened;
    opened.on('message', (data) => {
      const { envelope_id } = JSON.parse(Buffer.from(data).toString()) as { envelope_id: string };
      taken.get(envelope_id)?.();
    });
    opened.send(JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }));
    for (const resolve of connected.splice(0)) resolve();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${url}/api`,
    socket: async (type, payload) => {
      if (socket?.readyState !== 1) await new Promise<void>((resolve) => void connected.push(resolve));
      const envelope_id = `envelope${++messages}`;
      const done = new Promise<void>((resolve) => void taken.set(envelope_id, resolve));
      socket!.send(JSON.stringify({ type, envelope_id, payload, accepts_response_payload: false }));
      await done;
    },
    calls,
    screen,
    close: async () => {
      connected = [];
      sockets.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
};
