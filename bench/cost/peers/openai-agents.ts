// OpenAI's Agents SDK behind the Responses API, with a session in memory.

import { Agent, MCPServerStreamableHttp, MemorySession, OpenAIProvider, Runner } from '@openai/agents';
import { INSTRUCTIONS, type Open } from '../agents/agent.ts';

export const open: Open = async ({ tools, model }) => {
  const server = new MCPServerStreamableHttp({ url: tools, name: 'bfcl' });
  await server.connect();
  const modelProvider = new OpenAIProvider({ apiKey: 'none', baseURL: `${model}/v1`, useResponses: true });
  const agent = new Agent({ name: 'cost', model: 'scripted', instructions: INSTRUCTIONS, mcpServers: [server] });
  const runner = new Runner({ modelProvider, tracingDisabled: true });
  const session = new MemorySession();
  return {
    turn: async (said) => void (await runner.run(agent, said, { session, maxTurns: 50 })),
    close: () => server.close(),
  };
};
