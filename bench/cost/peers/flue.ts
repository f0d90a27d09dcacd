// Flue in this process with its SQLite adapter, behind Anthropic's API.

import { join } from 'node:path';
import { createProvider } from '@earendil-works/pi-ai';
import { anthropicMessagesApi } from '@earendil-works/pi-ai/api/anthropic-messages.lazy';
import { init, useMcpConnection, useModel } from '@flue/runtime';
import { sqlite, start } from '@flue/runtime/node';
import { INSTRUCTIONS, type Open } from '../agents/agent.ts';

export const open: Open = async ({ dir, tools, model }) => {
  const Cost = (): string => {
    useModel('scripted/scripted');
    useMcpConnection({ name: 'bfcl', url: tools });
    return INSTRUCTIONS;
  };
  const provider = createProvider({
    id: 'scripted',
    auth: { apiKey: { name: 'none', resolve: async () => ({ auth: { apiKey: 'none' } }) } },
    models: [
      {
        id: 'scripted',
        name: 'scripted',
        api: 'anthropic-messages',
        provider: 'scripted',
        baseUrl: model,
        reasoning: false,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 200_000,
        maxTokens: 16_000,
      },
    ],
    api: anthropicMessagesApi(),
  });
  const flue = await start({ agents: [Cost], db: sqlite(join(dir, 'flue.db')), providers: [provider] });
  const agent = init(Cost, { id: 'dialogue' });
  return {
    turn: async (said) => void (await agent.read(await agent.dispatch(said))),
    close: () => flue.stop(),
  };
};
