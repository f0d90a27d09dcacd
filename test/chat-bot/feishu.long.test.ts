import { expect, it } from 'vitest';
import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { repliesIn } from '../support/chat-bot/chat-window.ts';
import { feishuEnv, feishuMessage, openFeishuChat, startFeishuApi } from '../support/chat-bot/feishu.ts';
import { answersOnce, asksDay, sendsFiles, serviceFor, takesPhotos } from '../support/chat-bot/talk.ts';

const chat = botInChat(startFeishuApi, feishuEnv);

const open = () => openFeishuChat(chat.api);
const RECEIVED = 'im.message.receive_v1';

sendsFiles(chat, open);

tellStoryInChat('Feishu', chat, open);

answersOnce(chat, open, (window, text, id) =>
  chat.api.event(RECEIVED, feishuMessage({ chat: window.chat }, text, `om_${window.chat}_${id}`)),
);

takesPhotos(chat, open, ({ chat: of }, words) => {
  const event = feishuMessage({ chat: of }, '') as { message: object };
  const image = { tag: 'img', image_key: 'img_red' };
  const post = { title: '', content: [[{ tag: 'text', text: words }, image]] };
  const message =
    words === ''
      ? { ...event.message, message_type: 'image', content: JSON.stringify({ image_key: 'img_red' }) }
      : { ...event.message, message_type: 'post', content: JSON.stringify(post) };
  return chat.api.event(RECEIVED, { ...event, message });
});

it('in a group a mention begins a thread that is a session', async () => {
  const service = await serviceFor(chat, asksDay('On Sunday.'));
  const group = `oc_${'a'.repeat(32)}`;
  const screen = chat.api.screen(group);
  const say = (text: string, id: string, root?: string) =>
    chat.api.event(
      RECEIVED,
      feishuMessage({ chat: group, type: 'group', ...(root !== undefined && { root }) }, text, id),
    );
  await say('@_user_1 Plan the party', 'om_root');
  expect((await screen.until((seen) => repliesIn(seen)[0])).text).toContain('Which day?');
  await say('@_user_1 Sunday', 'om_answer', 'om_root');
  expect((await screen.until((seen) => repliesIn(seen)[1])).text).toContain('On Sunday.');
  const { sessions } = await service.get<{ sessions: { session_id: string }[] }>('/v1/sessions');
  expect(sessions).toMatchObject([{ session_id: `lark_${group}_om_root` }]);
});
