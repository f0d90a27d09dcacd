import type { ChatWindow } from './chat-window.ts';
import type { FeishuApi } from './feishu-api.ts';

let chats = 0;
let messages = 0;

/** A user's message as Feishu's event has it. */
export const feishuMessage = (
  { chat, user = 'ou_user', type = 'p2p', root }: { chat: string; user?: string; type?: string; root?: string },
  text: string,
  message_id = `om_user${++messages}`,
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
