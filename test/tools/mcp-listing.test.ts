import { expect, it, onTestFinished } from 'vitest';
import { MCP_MESSAGE_VALUES_MAX } from '../../contracts/limits.ts';
import { PacedStdioTransport } from '../../src/tools/mcp/stdio-transport.ts';

/** A program that lists no tools, and answers anything else with a result of more values than one may have. */
const PROGRAM = `
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line);
    const result = { values: Array(${MCP_MESSAGE_VALUES_MAX + 1_000}).fill(1) };
    if (id !== undefined && method !== 'tools/list') process.stdout.write(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
  });`;

it('a program whose list of tools is not waited for any more gives no longer results than others', async () => {
  const transport = new PacedStdioTransport({ command: process.execPath, args: ['-e', PROGRAM], stderr: 'pipe' });
  onTestFinished(() => transport.close());
  const answer = Promise.withResolvers<unknown>();
  transport.onerror = answer.resolve;
  transport.onmessage = answer.resolve;
  await transport.start();
  await transport.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
  await transport.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
  await transport.send({ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'go' } });
  expect(await answer.promise).toMatchObject({ name: 'MessageTooLarge' });
});
