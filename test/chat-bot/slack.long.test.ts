import { expect, it } from 'vitest';
import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { repliesIn } from '../support/chat-bot/chat-window.ts';
import {
  callSlackWebhook,
  openSlackChat,
  SIGNING_SECRET,
  slackEvent,
  slackPress,
  startSlackApi,
} from '../support/chat-bot/slack.ts';
import {
  asksDay,
  HOSTILE,
  reply,
  says,
  sendsFiles,
  serviceFor,
  takesPhotos,
  turnsOf,
} from '../support/chat-bot/talk.ts';
import { answer, ask, plan } from '../support/service/service.ts';

const chat = botInChat(startSlackApi, ({ url }) => ({
  SLACK_BOT_TOKEN: 'xoxb-test',
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  SLACK_API_URL: url,
}));

const call = (body: object | URLSearchParams, options = {}) => callSlackWebhook(chat.url, body, options);
const open = () => openSlackChat(chat.api, call);

sendsFiles(chat, open);

tellStoryInChat('Slack', chat, open);

takesPhotos(chat, open, ({ channel }, text) => {
  const url_private = `${chat.api.url.replace('/api', '')}/files/red.png`;
  const files = [{ id: 'F1', name: 'red.png', mimetype: 'image/png', size: 69, url_private }];
  const ts = `1750000000.00000${text.length % 10}`;
  const share = { type: 'message', subtype: 'file_share', channel, channel_type: 'im', user: 'U1', text, ts, files };
  return call(slackEvent(share));
});

const CHANNEL = 'C1';
const inChannel = (ts: string, text: string, more: Record<string, unknown> = {}) =>
  slackEvent({ type: 'message', channel: CHANNEL, channel_type: 'channel', user: 'U1', text, ts, ...more });

/** The event of a user who typed something, in a window. */
const eventIn = async ({ channel }: { channel: string }) => {
  const sent: object[] = [];
  await openSlackChat(chat.api, async (body) => sent.push(body)).type('Do it');
  const event = sent[0] as { event: Record<string, unknown> };
  return { ...event, event: { ...event.event, channel } };
};

it('accepts only what Slack signed', async () => {
  const service = await serviceFor(chat, says('Done.'));
  const window = open();
  const ours = await eventIn(window);
  expect((await call(ours, { secret: 'wrong' })).status).toBe(401);
  expect((await call(ours, { at: Math.floor(Date.now() / 1_000) - 600 })).status).toBe(401);
  expect((await fetch(`${chat.url}/slack`, { method: 'POST', body: JSON.stringify(ours) })).status).toBe(401);
  expect(await (await call({ type: 'url_verification', challenge: 'abc' })).json()).toEqual({ challenge: 'abc' });
  expect((await call(ours)).status).toBe(200);
  await reply(window, 1);
  expect(await turnsOf(service, window)).toHaveLength(1);
});

it('in a channel a mention begins a thread that is a session, in which it then listens', async () => {
  const service = await serviceFor(chat, asksDay('On Sunday.'));
  const ts = '1700000001.000001';
  await call(inChannel(ts, 'Nobody asked the bot'));
  await call(
    slackEvent({ type: 'app_mention', channel: CHANNEL, user: 'U1', text: '<@UBOT> Plan the party', ts: `${ts}1` }),
  );
  await call(inChannel(`${ts}1`, '<@UBOT> Plan the party'));
  const thread = chat.api.screen(CHANNEL, `${ts}1`);
  const question = await thread.until((seen) => repliesIn(seen)[0]);
  expect(question.text).toContain('Which day?');
  await chat.restartSettled();
  await call(inChannel('1700000002.000001', 'Sunday', { thread_ts: `${ts}1` }));
  expect((await thread.until((seen) => repliesIn(seen)[1])).text).toContain('On Sunday.');

  const action = question.buttons[0]!.action;
  await call(slackPress({ channel: CHANNEL, ts: question.id, thread: `${ts}1`, user: 'U2' }, action));
  const told = await thread.until((seen) => seen.find(({ only }) => only !== null));
  expect(told).toMatchObject({ only: 'U2', text: expect.stringContaining('answered already') });

  const { tasks } = await service.get<{ tasks: { goal: string }[] }>('/v1/sessions/slack_C1_1700000001_0000011/tasks');
  expect(tasks).toMatchObject([{ goal: 'Plan the party' }]);
});

it('shows a text full of markup unchanged, and mentions nobody', async () => {
  await serviceFor(chat, [
    plan('Ask'),
    { ...ask(HOSTILE), options: ['*a*', '<!channel>', 'x'.repeat(200)] },
    answer(HOSTILE),
  ]);
  const window = open();
  await window.type('Ask me');
  const question = await reply(window, 1);
  expect(question.text).toContain(HOSTILE);
  expect(question.buttons.map(({ label }) => label)).toEqual(['*a*', '<!channel>', 'x'.repeat(75)]);
  await window.press(question, '<!channel>');
  expect((await reply(window, 2)).text).toContain(HOSTILE);
});

it('hears a text as it was typed', async () => {
  const service = await serviceFor(chat, says('Done.'));
  const window = open();
  const text = 'Do:\n- __init__ <a> & *b*\n- see https://x.example';
  await window.type(text);
  await reply(window, 1);
  const { tasks } = await service.get<{ tasks: { goal: string }[] }>(`/v1/sessions/${window.session}/tasks`);
  expect(tasks).toMatchObject([{ goal: text }]);
});

it('passes on any command by /tripact', async () => {
  await serviceFor(chat, says());
  const window = open();
  await window.type('/tripact /todo add tea');
  expect((await reply(window, 1)).text).toContain('tea');
});
