import { createHmac } from 'node:crypto';
import { buffer, text as textOf } from 'node:stream/consumers';
import { PNG } from '../service/sample-files.ts';
import type { ChatWindow, Seen } from './chat-window.ts';
import { contentTypeOf, type PlatformServer, startPlatform } from './platform-server.ts';
import type { Screen } from './screen.ts';

/** Slack's Web API with one app, as far as the adapter uses it. Refuses what Slack refuses. */
export interface SlackApi extends Omit<PlatformServer, 'screen'> {
  /** A thread's screen: a channel, and the message that it hangs on, or none. */
  screen(channel: string, thread?: string): Screen;
  /** Sends something over Socket Mode, and resolves when the app has acknowledged it. */
  socket(type: 'events_api' | 'interactive' | 'slash_commands', payload: unknown): Promise<void>;
}

interface Block {
  type: string;
  text?: { type: string; text: string };
  elements?: { action_id: string; text: { text: string }; value: string }[];
}

/** A message as shown. Throws where Slack would, and if a text is not plain. */
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
  const places = new Map<string, Screen>();
  /** Files that are being handed over: each is shown when its upload is completed. */
  const uploads = new Map<string, { filename: string; length: number; bytes: Buffer | null }>();
  let messages = 0;
  const screen = (channel: string, thread = ''): Screen => platform.screen(`${channel}:${thread}`);
  const nextTs = (): string => `1800000000.${String(++messages).padStart(6, '0')}`;

  const methods: Record<string, (body: Record<string, string>) => object> = {
    'auth.test': () => ({ user_id: 'UBOT', bot_id: 'BBOT', user: 'tripact', team_id: 'T1' }),
    'apps.connections.open': () => ({ url: `${platform.url.replace('http', 'ws')}/socket` }),
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
    'files.getUploadURLExternal': ({ filename = '', length = '' }) => {
      if (filename === 'refused.md') throw new Error('file_type_not_allowed');
      const file_id = `F${++messages}`;
      uploads.set(file_id, { filename, length: Number(length), bytes: null });
      return { file_id, upload_url: `${platform.url}/upload/${file_id}` };
    },
    'files.completeUploadExternal': ({ files = '[]', channel_id = '', thread_ts = '' }) => {
      const shared = JSON.parse(files) as { id: string }[];
      for (const { id } of shared) {
        const { filename, length, bytes = null } = uploads.get(id) ?? {};
        if (bytes === null || bytes.length !== length) throw new Error('file_not_found');
        screen(channel_id, thread_ts).post({ id: nextTs(), text: `file ${filename}: ${bytes}`, buttons: [] });
      }
      return { files: shared };
    },
    'chat.postEphemeral': (body) => {
      const { channel = '', thread_ts = '', user = '' } = body;
      const ts = nextTs();
      screen(channel, thread_ts).post({ id: ts, ...contentOf(body), only: user });
      return { message_ts: ts };
    },
  };

  const platform = await startPlatform(
    async (request) => {
      if (request.url === '/files/red.png')
        return request.headers.authorization === 'Bearer xoxb-test' ? [200, PNG] : [403, {}];
      const upload = uploads.get(/^\/upload\/(\w+)$/.exec(request.url ?? '')?.[1] ?? '');
      if (upload !== undefined) {
        const form = await new Response(await buffer(request), { headers: contentTypeOf(request) }).formData();
        upload.bytes = Buffer.from(await (form.get('body') as File).arrayBuffer());
        return [200, {}];
      }
      const method = (request.url ?? '').replace(/^\/api\//, '');
      const body = Object.fromEntries(new URLSearchParams(await textOf(request)));
      const token = request.headers.authorization?.replace('Bearer ', '') ?? body['token'];
      if (token !== (method === 'apps.connections.open' ? 'xapp-test' : 'xoxb-test'))
        return [200, { ok: false, error: 'invalid_auth' }];
      const call = methods[method];
      return [200, call === undefined ? { ok: false, error: 'unknown_method' } : { ok: true, ...call(body) }];
    },
    (reason) => [200, { ok: false, error: reason }],
  );
  const deliver = platform.takeSocket(
    (data) => (JSON.parse(Buffer.from(data).toString()) as { envelope_id: string }).envelope_id,
    JSON.stringify({ type: 'hello', num_connections: 1, connection_info: { app_id: 'A1' } }),
  );
  return {
    ...platform,
    url: `${platform.url}/api`,
    screen,
    socket: async (type, payload) => {
      const envelope_id = `envelope${++messages}`;
      await deliver(envelope_id, JSON.stringify({ type, envelope_id, payload, accepts_response_payload: false }));
    },
  };
};

export const SIGNING_SECRET = 'slack-signing-secret';

/** Calls the bot as Slack does, signed with this secret at this time. */
export const callSlackWebhook = (
  url: string,
  body: object | URLSearchParams,
  { secret = SIGNING_SECRET, at = Math.floor(Date.now() / 1_000) } = {},
): Promise<Response> => {
  const isForm = body instanceof URLSearchParams;
  const text = isForm ? body.toString() : JSON.stringify(body);
  const signature = createHmac('sha256', secret).update(`v0:${at}:${text}`).digest('hex');
  return fetch(`${url}/slack`, {
    method: 'POST',
    body: text,
    headers: {
      'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
      'x-slack-request-timestamp': `${at}`,
      'x-slack-signature': `v0=${signature}`,
    },
  });
};

let chats = 0;
let events = 0;
let userMessages = 0;

/** An event as Slack's Events API sends it. */
export const slackEvent = (event: Record<string, unknown>): Record<string, unknown> => ({
  type: 'event_callback',
  team_id: 'T1',
  api_app_id: 'A1',
  event_id: `Ev${++events}`,
  event_time: 1_800_000_000,
  event: { team: 'T1', ...event },
});

/** A button as Slack's interactivity sends it. */
export const slackPress = (
  { channel, ts, thread, user }: { channel: string; ts: string; thread?: string; user: string },
  action: string,
): URLSearchParams => {
  const message = { ts, ...(thread !== undefined && { thread_ts: thread }) };
  const payload = {
    type: 'block_actions',
    user: { id: user, username: `user-${user}`, name: `user-${user}` },
    team: { id: 'T1' },
    channel: { id: channel },
    container: { type: 'message', message_ts: ts, channel_id: channel, is_ephemeral: false },
    message,
    trigger_id: `trigger-${++events}`,
    response_url: 'http://127.0.0.1:9/',
    actions: [{ type: 'button', action_id: 'tripact:0', block_id: 'b', value: action }],
  };
  return new URLSearchParams({ payload: JSON.stringify(payload) });
};

/** Opens a direct chat with the bot. Everything goes through `deliver`. */
export const openSlackChat = (
  api: SlackApi,
  deliver: (body: object | URLSearchParams) => Promise<unknown>,
): ChatWindow & { channel: string } => {
  const channel = `D${++chats}`;
  const screen = api.screen(channel);
  return {
    ...screen,
    channel,
    session: `slack_${channel}`,
    type: async (text) => {
      const [command = ''] = /^\/\w+/.exec(text) ?? [];
      if (command !== '') {
        const form = { command, text: text.slice(command.length).trim(), user_id: 'U1', channel_id: channel };
        await deliver(new URLSearchParams({ ...form, team_id: 'T1', trigger_id: `trigger-${++events}` }));
        return;
      }
      const ts = `1700000000.${String(++userMessages).padStart(6, '0')}`;
      const sent = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      await deliver(slackEvent({ type: 'message', channel, channel_type: 'im', user: 'U1', text: sent, ts }));
    },
    press: async ({ id: ts, buttons }, label, user = 'U1') => {
      const action = buttons.find((one) => one.label === label)?.action ?? '';
      await deliver(slackPress({ channel, ts, user }, action));
    },
  };
};
