import { expect, it } from 'vitest';
import { NO_ANSWERS, NOT_VALID } from '../support/mcp/no-answers.ts';
import { connectSamples } from '../support/mcp/setup.ts';

/** A program that answers its calls one after the other with these. */
const program = (answers: string[]): string => `
  const answers = ${JSON.stringify(answers)};
  const said = {
    initialize: '"result":{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"odd","version":"1"}}',
    'tools/list': '"result":{"tools":[{"name":"go","inputSchema":{"type":"object"}}]}',
  };
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const answer = method === 'tools/call' ? answers.shift() : said[method] ?? '"error":{"code":-32601,"message":"none"}';
    if (id !== undefined) process.stdout.write('{"jsonrpc":"2.0","id":' + JSON.stringify(id) + ',' + answer + '}\\n');
  });`;

it('a call that a program answers with what is no answer fails at once, and the next one is made', async () => {
  const answers = [...NO_ANSWERS, '"result":{"content":[]}'];
  const mcp = await connectSamples({ odd: { command: process.execPath, args: ['-e', program(answers)] } });
  for (const _ of NO_ANSWERS) expect(await mcp.run('odd_go')).toEqual({ ok: false, result: NOT_VALID });
  expect(await mcp.run('odd_go')).toMatchObject({ ok: true });
});
