import { expect, it } from 'vitest';
import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { dingTalkEnv, openDingTalkChat, startDingTalkApi } from '../support/chat-bot/dingtalk.ts';
import { HOSTILE, reply, says, serviceFor, turnsOf } from '../support/chat-bot/talk.ts';

const chat = botInChat(startDingTalkApi, dingTalkEnv);

const open = () => openDingTalkChat(chat.api);

tellStoryInChat('DingTalk', chat, open, { isByText: true });

it('answers once what DingTalk delivers again, also after a restart of the bot', async () => {
  const service = await serviceFor(chat, says('Done.', HOSTILE));
  const window = open();
  const message = { type: '1', conversation: 'cid1', user: window.user, text: 'Do this', id: 'again' } as const;
  await chat.api.message(message);
  await chat.api.message(message);
  await reply(window, 1);
  await chat.restartSettled();
  await chat.api.message(message);
  await window.type('Do that');
  expect((await reply(window, 2)).text).toBe(HOSTILE);
  expect(await turnsOf(service, window)).toHaveLength(2);
});

it('goes on after a message that names no user, as DingTalk sends them to an app that is not published', async () => {
  await serviceFor(chat, says('Done.'));
  const window = open();
  await chat.api.message({ type: '1', conversation: 'cid1', text: 'Do this' });
  await window.type('Do that');
  expect((await reply(window, 1)).text).toContain('Done.');
});
