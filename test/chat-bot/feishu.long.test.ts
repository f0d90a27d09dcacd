import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { feishuEnv, startFeishuApi } from '../support/chat-bot/feishu-api.ts';
import { openFeishuChat } from '../support/chat-bot/feishu-chat.ts';

const chat = botInChat(startFeishuApi, feishuEnv);

tellStoryInChat('Feishu', chat, () => openFeishuChat(chat.api));
