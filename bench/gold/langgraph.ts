// LangChain's agent on LangGraph.js with its SQLite checkpointer, `durability: 'sync'`: each checkpoint is written
// before the next step starts. An interrupted turn continues by `invoke(null)` on its thread, as documented.

import { join } from 'node:path';
import { BaseChatModel } from '@langchain/core/language_models/chat_models';
import { AIMessage, type BaseMessage, HumanMessage, ToolMessage } from '@langchain/core/messages';
import type { ChatResult } from '@langchain/core/outputs';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import { MultiServerMCPClient } from '@langchain/mcp-adapters';
import { createAgent } from 'langchain';
import { play, type Setting } from './play.ts';

class Scripted extends BaseChatModel {
  readonly #next: Setting['next'];

  constructor(next: Setting['next']) {
    super({});
    this.#next = next;
  }

  _llmType(): string {
    return 'scripted';
  }

  override bindTools(): this {
    return this;
  }

  async _generate(messages: BaseMessage[]): Promise<ChatResult> {
    const last = messages.findLastIndex((each) => HumanMessage.isInstance(each));
    const results = messages.slice(last + 1).filter((each) => ToolMessage.isInstance(each));
    const call = await this.#next(
      messages[last]!.text,
      results.map(({ text }) => text),
    );
    const tool_calls = call === null ? [] : [{ id: `${last}-${results.length}`, name: call.tool, args: call.args }];
    return {
      generations: [{ text: '', message: new AIMessage({ content: call === null ? 'Done.' : '', tool_calls }) }],
    };
  }
}

await play(import.meta, async ({ dir, url, next }) => {
  const client = new MultiServerMCPClient({ mcpServers: { bfcl: { transport: 'http', url } } });
  const agent = createAgent({
    model: new Scripted(next),
    tools: await client.getTools(),
    checkpointer: SqliteSaver.fromConnString(join(dir, 'store.db')),
  });
  const config = { configurable: { thread_id: 'dialogue' }, durability: 'sync' as const, recursionLimit: 200 };
  return {
    turn: async (_, said, isAgain) => {
      const isUnderWay = isAgain && (await agent.graph.getState(config)).next.length > 0;
      await agent.invoke(isUnderWay ? null : { messages: [new HumanMessage(said)] }, config);
    },
    close: () => client.close(),
  };
});
