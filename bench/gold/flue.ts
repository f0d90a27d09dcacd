// Flue in this process with its SQLite adapter, as in its guide to standalone scripts. A started process recovers an
// interrupted submission by itself, once the lease of the killed one ran out. The turn is read again by its receipt.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createProvider } from '@earendil-works/pi-ai';
import { anthropicMessagesApi } from '@earendil-works/pi-ai/api/anthropic-messages.lazy';
import { type DispatchReceipt, init, useMcpConnection, useModel } from '@flue/runtime';
import { sqlite, start } from '@flue/runtime/node';
import { startModelServer } from './model-server.ts';
import { play } from './play.ts';

await play(import.meta, async ({ dir, url, next }) => {
  const model = await startModelServer(next);
  const Gold = (): string => {
    useModel('scripted/scripted');
    useMcpConnection({ name: 'bfcl', url });
    return 'Do what the user asks for.';
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
        baseUrl: model.url,
        reasoning: false,
        input: ['text'],
        cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
        contextWindow: 200_000,
        maxTokens: 8_192,
      },
    ],
    api: anthropicMessagesApi(),
  });
  const flue = await start({ agents: [Gold], db: sqlite(join(dir, 'flue.db')), providers: [provider] });
  const agent = init(Gold, { id: 'dialogue' });
  return {
    turn: async (number, said, isAgain) => {
      const file = join(dir, `receipt-${number}`);
      const receipt =
        isAgain && existsSync(file)
          ? (JSON.parse(readFileSync(file, 'utf8')) as DispatchReceipt)
          : await agent.dispatch(said);
      writeFileSync(file, JSON.stringify(receipt));
      await agent.read(receipt);
    },
    close: async () => {
      await flue.stop();
      model.close();
    },
  };
});
