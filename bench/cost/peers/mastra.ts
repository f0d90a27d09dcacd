// Mastra's agent with the AI SDK's model of Anthropic. It gets the messages of earlier turns, as its memory would
// provide them.

import { createAnthropic } from '@ai-sdk/anthropic';
import { Agent } from '@mastra/core/agent';
import type { MastraModelConfig } from '@mastra/core/llm';
import { MCPClient } from '@mastra/mcp';
import { INSTRUCTIONS, type Open } from '../agents/agent.ts';

export const open: Open = async ({ dir, tools, model }) => {
  const client = new MCPClient({ id: dir, servers: { bfcl: { url: new URL(tools) } } });
  const agent = new Agent({
    id: 'cost',
    name: 'cost',
    instructions: INSTRUCTIONS,
    // Mastra's type of a model is narrower than the AI SDK's.
    model: createAnthropic({ apiKey: 'none', baseURL: `${model}/v1` })('scripted') as MastraModelConfig,
    tools: await client.listTools(),
  });
  type Messages = Exclude<Parameters<typeof agent.generate>[0], string>;
  let messages: unknown[] = [];
  return {
    async turn(said) {
      messages.push({ role: 'user', content: said });
      const { response } = await agent.generate(messages as Messages, { maxSteps: 50 });
      messages = [...messages, ...(response.messages ?? [])];
    },
    close: () => client.disconnect(),
  };
};
