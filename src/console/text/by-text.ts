import type { By } from '../../../contracts/by.ts';
import { defineTexts } from './language.ts';

const texts = defineTexts({
  by: ['by {0} ({1})', '· {0}（{1}）'],
  http: ['HTTP', 'HTTP'],
  console: ['console', '控制台'],
  cli: ['terminal', '终端'],
  chat_bot: ['chat bot', '聊天机器人'],
  mcp: ['MCP', 'MCP'],
  a2a: ['A2A', 'A2A'],
  ag_ui: ['AG-UI', 'AG-UI'],
  ai_sdk: ['AI SDK', 'AI SDK'],
  openai: ['OpenAI API', 'OpenAI API'],
  embedded: ['in process', '进程内'],
  sign_in: ['after a sign-in', '登录之后'],
  schedule: ['schedule', '日程'],
});

/** Who sent an input and how, in the chosen language. */
export const byText = ({ owner, key_id, subject, via }: By): string =>
  texts.value.by(owner, [texts.value[via], key_id ?? subject].filter(Boolean).join(', '));
