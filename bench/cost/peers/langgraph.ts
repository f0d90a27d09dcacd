// LangChain's agent on LangGraph.js, with an in-memory checkpointer, behind Anthropic's API; with its todo list if it
// plans.

import { ChatAnthropic } from '@langchain/anthropic';
import { HumanMessage } from '@langchain/core/messages';
import { MemorySaver } from '@langchain/langgraph';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { createAgent, todoListMiddleware } from 'langchain';
import { INSTRUCTIONS, type Open } from '../agents/agent.ts';

const openWith =
  (plans: boolean): Open =>
  async ({ tools, model }) => {
    const client = new MultiServerMCPClient({ mcpServers: { bfcl: { transport: 'http', url: tools } } });
    const agent = createAgent({
      model: new ChatAnthropic({ model: 'scripted', apiKey: 'none', anthropicApiUrl: model, maxRetries: 0 }),
      tools: await client.getTools(),
      systemPrompt: INSTRUCTIONS,
      middleware: plans ? [todoListMiddleware()] : [],
      checkpointer: new MemorySaver(),
    });
    const config = { configurable: { thread_id: 'dialogue' }, recursionLimit: 200 };
    return {
      turn: async (said) => void (await agent.invoke({ messages: [new HumanMessage(said)] }, config)),
      close: () => client.close(),
    };
  };

export const open = openWith(false);
export const openPlanning = openWith(true);
