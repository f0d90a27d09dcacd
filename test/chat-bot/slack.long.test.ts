import { botInChat, tellStoryInChat } from '../support/chat-bot/bot-in-chat.ts';
import { startSlackApi } from '../support/chat-bot/slack-api.ts';
import { callSlackWebhook, openSlackChat, SIGNING_SECRET } from '../support/chat-bot/slack-chat.ts';

const chat = botInChat(startSlackApi, ({ url }) => ({
  SLACK_BOT_TOKEN: 'xoxb-test',
  SLACK_SIGNING_SECRET: SIGNING_SECRET,
  SLACK_API_URL: url,
}));

tellStoryInChat('Slack', chat, () => openSlackChat(chat.api, (body) => callSlackWebhook(chat.url, body)));
