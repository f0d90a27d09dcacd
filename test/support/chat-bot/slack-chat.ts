import { createHmac } from 'node:crypto';
import type { ChatWindow } from './chat-window.ts';
import type { SlackApi } from './slack-api.ts';

export const SIGNING_SECRET = 'slack-signing-secret';

/** Calls the bot as Slack does, signed with this secret at this time. */
export const callSlackWebhook = (
  url: string,
  body: object | URLSearchParams,
  { secret = SIGNING_SECRET, at = Math.floor(Date.now() / 1_000), retry = 0 } = {},
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
      ...(retry > 0 && { 'x-slack-retry-num': `${retry}`, 'x-slack-retry-reason': 'http_timeout' }),
    },
  });
};

let chats = 0;
let events = 0;
let messages = 0;

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
      const ts = `1700000000.${String(++messages).padStart(6, '0')}`;
      const sent = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      await deliver(slackEvent({ type: 'message', channel, channel_type: 'im', user: 'U1', text: sent, ts }));
    },
    press: async ({ id: ts, buttons }, label, user = 'U1') => {
      const action = buttons.find((one) => one.label === label)?.action ?? '';
      await deliver(slackPress({ channel, ts, user }, action));
    },
  };
};
