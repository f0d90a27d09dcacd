import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { MCP_TOOLS_VALUES_MAX } from '../../contracts/limits.ts';
import { boundResults } from '../../src/tools/mcp/create-transport.ts';
import { createMcpTool } from '../../src/tools/mcp/mcp-tool.ts';
import type { ServerConnection } from '../../src/tools/mcp/server-connection.ts';
import { BLOCKED_MS_MAX, blockedFor } from '../expressions/blocked-for.ts';

/** A schema of so many values, whose texts of so many characters show nothing. */
const schemaOf = (values: number, chars: number) => ({
  type: 'object' as const,
  properties: Object.fromEntries(
    Array.from({ length: values / 3 }, (_, i) => [
      `field${i}`,
      { type: 'string', description: '\u200b'.repeat(chars) },
    ]),
  ),
});

it('a list of tools ends at the page with which it is full, and the next list begins anew', async () => {
  const cursors: unknown[] = [];
  let taken = (): void => {};
  const transport = {
    onmessage: (message: JSONRPCMessage) => {
      cursors.push('result' in message && message.result['nextCursor']);
      taken();
    },
    close: async () => {},
  } as unknown as Transport;
  boundResults(transport, () => {});
  const page = async (values: number, nextCursor?: string) => {
    const tools = [{ name: 'go', inputSchema: schemaOf(values, 10) }];
    const isTaken = new Promise<void>((resolve) => {
      taken = resolve;
    });
    transport.onmessage?.({ jsonrpc: '2.0', id: 1, result: { tools, ...(nextCursor && { nextCursor }) } });
    await isTaken;
  };
  const most = MCP_TOOLS_VALUES_MAX;
  for (const cursor of ['a', 'b', 'c']) await page(most * 0.6, cursor);
  await page(most * 0.3);
  await page(most * 0.6, 'd');
  expect(cursors).toEqual(['a', undefined, 'c', undefined, 'd']);
});

it('as many tools as are taken from a server are described at once, however much is in their schemas', () => {
  const tools = Array.from({ length: 128 }, (_, i) => ({ name: `tool${i}`, inputSchema: schemaOf(600, 1_000) }));
  const learn = () => {
    for (const listed of tools)
      createMcpTool({
        ...{ name: listed.name, server: 'a', listed, connection: {} as ServerConnection, approval: false },
        hide: (text) => text,
      });
  };
  expect(blockedFor(learn)).toBeLessThan(BLOCKED_MS_MAX);
});
