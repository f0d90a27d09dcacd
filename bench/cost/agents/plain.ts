// A loop of tool calls as in Anthropic's guide: the messages so far, the model's answer, the results, until it makes no
// more calls.

import Anthropic from '@anthropic-ai/sdk';
import type { MessageParam, TextBlockParam, Tool, ToolResultBlockParam } from '@anthropic-ai/sdk/resources/messages';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { INSTRUCTIONS, type Open } from './agent.ts';

/** The messages with a cache mark at the end, as the guide to prompt caching advises. */
const marked = (messages: MessageParam[]): MessageParam[] => {
  const { content } = messages.at(-1)!;
  type Blocks = (TextBlockParam | ToolResultBlockParam)[];
  const blocks: Blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : (content as Blocks);
  const last = { ...blocks.at(-1)!, cache_control: { type: 'ephemeral' as const } };
  return [...messages.slice(0, -1), { role: 'user', content: [...blocks.slice(0, -1), last] }];
};

export const open: Open = async ({ tools: url, model: baseURL }) => {
  const client = new Client({ name: 'plain', version: '1' });
  await client.connect(new StreamableHTTPClientTransport(new URL(url)));
  const { tools: listed } = await client.listTools();
  const tools = listed.map(
    ({ name, description = '', inputSchema }): Tool => ({
      name,
      description,
      input_schema: inputSchema as Tool['input_schema'],
    }),
  );
  const anthropic = new Anthropic({ apiKey: 'none', baseURL, maxRetries: 0 });
  const messages: MessageParam[] = [];
  return {
    async turn(said) {
      messages.push({ role: 'user', content: said });
      for (;;) {
        const { content, stop_reason } = await anthropic.messages.create({
          model: 'scripted',
          max_tokens: 16_000,
          system: [{ type: 'text', text: INSTRUCTIONS, cache_control: { type: 'ephemeral' } }],
          tools,
          messages: marked(messages),
        });
        messages.push({ role: 'assistant', content });
        if (stop_reason !== 'tool_use') return;
        const results: ToolResultBlockParam[] = [];
        for (const block of content) {
          if (block.type !== 'tool_use') continue;
          const result = await client.callTool({ name: block.name, arguments: block.input as Record<string, unknown> });
          const text = result.content.map((each) => (each.type === 'text' ? each.text : '')).join('');
          results.push({ type: 'tool_result', tool_use_id: block.id, content: text });
        }
        messages.push({ role: 'user', content: results });
      }
    },
    close: () => client.close(),
  };
};
