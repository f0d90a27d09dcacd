import { expect, it } from 'vitest';
import { botInChat } from '../support/chat-bot/bot-in-chat.ts';
import { openSlackChat, startSlackApi } from '../support/chat-bot/slack.ts';
import { asksDay, reply, serviceFor, turnsOf } from '../support/chat-bot/talk.ts';

const chat = botInChat(startSlackApi, ({ url }) => ({
  SLACK_BOT_TOKEN: 'xoxb-test',
  SLACK_APP_TOKEN: 'xapp-test',
  SLACK_API_URL: url,
}));

/** Delivers what a webhook would have brought over the socket. */
const deliver = (body: object): Promise<void> => {
  if (!(body instanceof URLSearchParams)) return chat.api.socket('events_api', body);
  const payload = body.get('payload');
  if (payload !== null) return chat.api.socket('interactive', JSON.parse(payload));
  return chat.api.socket('slash_commands', Object.fromEntries(body));
};

it('by Socket Mode needs no address: messages, commands and buttons come over it, also after a restart of the bot', async () => {
  const service = await serviceFor(chat, asksDay('On Sunday.'));
  expect(chat.url).toBe('');
  const window = openSlackChat(chat.api, deliver);
  await window.type('Plan the party');
  const question = await reply(window, 1);
  await window.type('/todo list');
  await reply(window, 2);
  await chat.restartSettled();
  await window.press(question, 'Sunday');
  expect((await reply(window, 3)).text).toContain('On Sunday.');
  expect(await turnsOf(service, window)).toHaveLength(3);
});
