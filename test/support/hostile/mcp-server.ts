// A program that speaks MCP on standard input and output, until it is asked for what its first argument names.
import { createInterface } from 'node:readline';

/** Characters of a flood. */
const FLOOD_CHARS = 3_000_000;

const [behaviour = ''] = process.argv.slice(2);

const send = (message: unknown): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const reply = (id: unknown, result: unknown): void => send({ jsonrpc: '2.0', id, result });
const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });
const tool = (name: string): object => ({ name, description: 'Does it.', inputSchema: { type: 'object' } });

const call = (id: unknown): void => {
  switch (behaviour) {
    case 'never_answers':
      return;
    case 'floods':
      return reply(id, text('flood '.repeat(FLOOD_CHARS / 6)));
    case 'hidden_characters':
      return reply(id, text('\u200f'.repeat(300_000)));
    case 'floods_errors':
      for (let i = 0; i < 20_000; i += 1) process.stderr.write(`line ${i} ${'e'.repeat(200)}\n`);
      return reply(id, text('after the flood'));
    case 'deep_result':
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":`);
      return void process.stdout.write(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}}\n`);
    case 'dies_in_message':
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"te`, () => process.exit(1));
      return;
    case 'no_json':
      process.stdout.write('Hello, I am a server!\n{{{{\n\u0000\n[]\nnull\n');
      return reply(id, text('mine'));
    case 'odd_result':
      return reply(id, { content: 'text', isError: 'perhaps' });
    default:
      throw new Error(`no behaviour ${behaviour}`);
  }
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line) as { id?: unknown; method: string };
  if (method === 'initialize')
    reply(id, {
      protocolVersion: '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'h', version: '1' },
    });
  else if (method === 'tools/list') reply(id, { tools: [tool('go')] });
  else if (method === 'tools/call') call(id);
  else if (id !== undefined) send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
});
