// A turn as Vercel's guide to durable agents has it: a workflow a turn, its agent's model calls and tools as steps.

import { createAnthropic } from 'ai-sdk-anthropic-3';
import { createMCPClient } from '@ai-sdk/mcp';
import { DurableAgent } from '@workflow/ai/agent';
import { jsonSchema, type ModelMessage, type UIMessageChunk } from 'ai';
import { getWritable } from 'workflow';

const connect = async () =>
  await createMCPClient({ transport: { type: 'http', url: process.env['COST_TOOLS']! } });

const model = async () => {
  'use step';
  return createAnthropic({ apiKey: 'none', baseURL: `${process.env['COST_MODEL']}/v1` })('scripted');
};

const listTools = async () => {
  'use step';
  const client = await connect();
  const { tools } = await client.listTools();
  await client.close();
  return tools.map(({ name, description = '', inputSchema }) => ({ name, description, inputSchema }));
};

const callTool = async (name: string, input: unknown): Promise<string> => {
  'use step';
  const client = await connect();
  const tools = await client.tools();
  const result = (await tools[name]!.execute(input as never, { toolCallId: name, messages: [] })) as {
    content: { text?: string }[];
  };
  await client.close();
  return result.content.map(({ text = '' }) => text).join('');
};

export const turn = async (messages: ModelMessage[]): Promise<ModelMessage[]> => {
  'use workflow';
  const listed = await listTools();
  const agent = new DurableAgent({
    model,
    instructions: 'Do what the user asks for.',
    tools: Object.fromEntries(
      listed.map(({ name, description, inputSchema }) => [
        name,
        {
          description,
          inputSchema: jsonSchema(inputSchema as never, { validate: (value) => ({ success: true, value }) }),
          execute: (input: unknown) => callTool(name, input),
        },
      ]),
    ),
  });
  const result = await agent.stream({ messages, writable: getWritable<UIMessageChunk>() });
  return result.messages.filter(({ role }) => role !== 'system');
};
