// A program that speaks MCP on standard input and output, until it is asked for what its first argument names.
import { createInterface } from 'node:readline';

/** Characters of a flood. */
const FLOOD_CHARS = 8_000_000;

const [behaviour = ''] = process.argv.slice(2);

const send = (message: unknown): void => void process.stdout.write(`${JSON.stringify(message)}\n`);
const reply = (id: unknown, result: unknown): void => send({ jsonrpc: '2.0', id, result });
const text = (value: string): object => ({ content: [{ type: 'text', text: value }] });
const tool = (name: string): object => ({ name, description: 'Does it.', inputSchema: { type: 'object' } });

/** Writes the same to a stream for ever, as fast as it is read. */
const pour = (stream: NodeJS.WriteStream, bytes: string): void => {
  const more = (): void => {
    while (stream.write(bytes));
  };
  stream.on('drain', more);
  more();
};

let lists = 0;

/** Lists tools, one of which is none, and says at once that they changed. */
const listAgain = (id: unknown): void => {
  lists += 1;
  process.stderr.write(`list ${lists}\n`);
  reply(id, { tools: [tool('go'), null] });
  send({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
};

const call = (id: unknown): void => {
  switch (behaviour) {
    case 'never_answers':
      return;
    case 'floods':
      return reply(id, text('flood '.repeat(FLOOD_CHARS / 6)));
    case 'floods_values':
      return reply(id, {
        content: [],
        structuredContent: { list: Array.from({ length: FLOOD_CHARS / 8 }, () => ({})) },
      });
    case 'floods_keys':
      return reply(id, {
        content: [],
        structuredContent: Object.fromEntries(Array.from({ length: 100_000 }, (_, i) => [`k${i}`, 1])),
      });
    case 'floods_blocks':
      return reply(id, { content: Array.from({ length: 100_000 }, () => ({ type: 'text', text: '' })) });
    case 'hidden_characters':
      return reply(id, text('\u200f'.repeat(1_000_000)));
    case 'floods_wrong_blocks':
      return reply(id, { content: Array.from({ length: 5_000 }, () => ({ type: 'none' })) });
    case 'floods_without_end':
      return pour(process.stdout, 'x'.repeat(65_536));
    case 'pours_empty_lines':
      return pour(process.stdout, '\n'.repeat(65_536));
    case 'pours_prose':
      return pour(process.stdout, 'debug\n'.repeat(10_000));
    case 'pours_notifications':
      return pour(
        process.stdout,
        '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n'.repeat(500),
      );
    case 'pours_requests':
      // Of which no answer is read.
      process.stdin.pause();
      return pour(process.stdout, '{"jsonrpc":"2.0","id":"r","method":"ping"}\n'.repeat(1_000));
    case 'pours_errors':
      return pour(process.stderr, 'e\n'.repeat(32_768));
    case 'floods_errors':
      for (let i = 0; i < 20_000; i += 1) process.stderr.write(`line ${i} ${'e'.repeat(200)}\n`);
      return reply(id, text('after the flood'));
    case 'deep_result':
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[],"structuredContent":`);
      return void process.stdout.write(`${'{"a":'.repeat(200_000)}1${'}'.repeat(200_000)}}}\n`);
    case 'dies_in_message':
      process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"content":[{"type":"te`, () => process.exit(1));
      return;
    case 'answers_others':
      for (let other = -5; other < 1_000; other += 1) if (other !== id) reply(other, text('not asked for'));
      return reply(id, text('mine'));
    case 'no_json':
      process.stdout.write('Hello, I am a server!\n{{{{\n\u0000\n[]\nnull\n');
      return reply(id, text('mine'));
    case 'changes_list':
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
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name: 'h', version: '1' },
    });
  else if (method === 'tools/list' && behaviour === 'changes_list') listAgain(id);
  else if (method === 'tools/list') reply(id, { tools: [tool('go')] });
  else if (method === 'tools/call') call(id);
  else if (id !== undefined) send({ jsonrpc: '2.0', id, error: { code: -32601, message: 'Method not found' } });
});
