import { expect, it } from 'vitest';
import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { dingTalkEnv, openDingTalkChat, startDingTalkApi } from '../support/chat-bot/dingtalk.ts';
import { answersOnce, HOSTILE, reply, says, serviceFor } from '../support/chat-bot/talk.ts';

const chat = botInChat(startDingTalkApi, dingTalkEnv);

const open = () => openDingTalkChat(chat.api);

tellStoryInChat('DingTalk', chat, open, { isByText: true });

answersOnce(chat, open, ({ user }, text, id) =>
  chat.api.message({ type: '1', conversation: 'cid1', user, text, id: `${user}${id}` }),
);

it('shows a text full of markup unchanged', async () => {
  await serviceFor(chat, says(HOSTILE));
  const window = open();
  await window.type('Do it');
  expect((await reply(window, 1)).text).toBe(HOSTILE);
});

it('reads the words of a message with pictures, and says that it did not see those', async () => {
  await serviceFor(chat, says('Done.'));
  const window = open();
  const richText = [{ text: 'What is ' }, { type: 'picture', downloadCode: 'd' }, { text: 'this?' }];
  const more = { msgtype: 'richText', text: undefined, content: { richText } };
  await chat.api.message({ type: '1', conversation: 'cid1', user: window.user, text: '', more });
  expect((await reply(window, 1)).text).toContain('could not see');
  expect((await reply(window, 2)).text).toContain('Done.');
});

it('goes on after a message that names no user, as DingTalk sends them to an app that is not published', async () => {
  await serviceFor(chat, says('Done.'));
  const window = open();
  await chat.api.message({ type: '1', conversation: 'cid1', text: 'Do this' });
  await window.type('Do that');
  expect((await reply(window, 1)).text).toContain('Done.');
});
