// The OpenAI Agents SDK with a session in a file, which it writes itself. It documents no way to continue a run that a
// crash ended, so the turn is sent again on the session as left, and continues from that.

import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  Agent,
  type AgentInputItem,
  type AgentOutputItem,
  MCPServerStreamableHttp,
  type Model,
  Runner,
  type Session,
} from '@openai/agents';
import { play, type Setting } from './play.ts';

const isUser = (item: AgentInputItem): boolean => 'role' in item && item.role === 'user';

const textOf = (item: AgentInputItem): string => {
  const { content } = item as { content: string | { text: string }[] };
  return typeof content === 'string' ? content : (content[0]?.text ?? '');
};

const modelOf = (next: Setting['next']): Model => ({
  async getResponse({ input }) {
    const items: AgentInputItem[] = typeof input === 'string' ? [{ role: 'user', content: input }] : input;
    const last = items.findLastIndex(isUser);
    const results = items.slice(last + 1).filter(({ type }) => type === 'function_call_result');
    const call = await next(
      textOf(items[last]!),
      results.map((each) => JSON.stringify(each)),
    );
    const id = `${last}-${results.length}`;
    const output: AgentOutputItem =
      call === null
        ? {
            type: 'message',
            id,
            role: 'assistant',
            status: 'completed',
            content: [{ type: 'output_text', text: 'Done.' }],
          }
        : {
            type: 'function_call',
            callId: id,
            name: call.tool,
            status: 'completed',
            arguments: JSON.stringify(call.args),
          };
    return { usage: { requests: 1, inputTokens: 1, outputTokens: 1, totalTokens: 2 } as never, output: [output] };
  },
  getStreamedResponse() {
    throw new Error('not streamed');
  },
});

/** A session with one line for each item. */
const sessionIn = (file: string): Session => {
  const all = (): AgentInputItem[] =>
    existsSync(file)
      ? readFileSync(file, 'utf8')
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as AgentInputItem)
      : [];
  const unused = (): never => {
    throw new Error('not used');
  };
  return {
    getSessionId: async () => 'dialogue',
    getItems: async (limit) => (limit === undefined ? all() : all().slice(-limit)),
    addItems: async (items) => appendFileSync(file, items.map((each) => `${JSON.stringify(each)}\n`).join('')),
    popItem: unused,
    clearSession: unused,
  };
};

await play(import.meta, async ({ dir, url, next }) => {
  const server = new MCPServerStreamableHttp({ url, name: 'bfcl' });
  await server.connect();
  const agent = new Agent({ name: 'gold', instructions: 'Do what the user asks for.', mcpServers: [server] });
  const runner = new Runner({ model: modelOf(next), tracingDisabled: true });
  const session = sessionIn(join(dir, 'session'));
  return {
    turn: async (_, said, isAgain) => {
      const last = (await session.getItems()).findLast(isUser);
      const isThere = isAgain && last !== undefined && textOf(last) === said;
      await runner.run(agent, isThere ? [] : said, { session, maxTurns: 50 });
    },
    close: () => server.close(),
  };
});
