import { expect, it } from 'vitest';
import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { dingTalkEnv, openDingTalkChat, startDingTalkApi } from '../support/chat-bot/dingtalk.ts';
import { answersOnce, HOSTILE, reply, says, sendsFiles, serviceFor, takesPhotos } from '../support/chat-bot/talk.ts';

const chat = botInChat(startDingTalkApi, dingTalkEnv);

const open = () => openDingTalkChat(chat.api);

sendsFiles(chat, open);

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

takesPhotos(chat, open, ({ user }, words) => {
  const richText = [{ text: words }, { type: 'picture', downloadCode: 'red' }];
  const more =
    words === ''
      ? { msgtype: 'picture', text: undefined, content: { downloadCode: 'red' } }
      : { msgtype: 'richText', text: undefined, content: { richText } };
  return chat.api.message({ type: '1', conversation: 'cid1', user, text: '', more });
});

it('goes on after a message that names no user, as DingTalk sends them to an app that is not published', async () => {
  await serviceFor(chat, says('Done.'));
  const window = open();
  await chat.api.message({ type: '1', conversation: 'cid1', text: 'Do this' });
  await window.type('Do that');
  expect((await reply(window, 1)).text).toContain('Done.');
});
