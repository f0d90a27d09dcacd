// The shop's orders as an MCP server on standard input and output. Replace it by your own.
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const ORDERS: ReadonlyMap<string, object> = new Map([
  ['17', { item: 'a blue teapot', paid_euros: 50, state: 'delivered' }],
  ['18', { item: 'green tea', paid_euros: 9, state: 'lost on its way' }],
]);

serveStdio(() => {
  const server = new McpServer({ name: 'shop', version: '1.0.0' });
  server.registerTool(
    'find_order',
    {
      description: 'Looks an order up by its number.',
      inputSchema: z.object({ number: z.string() }),
      annotations: { readOnlyHint: true },
    },
    ({ number }) => {
      const order = ORDERS.get(number);
      const text = order === undefined ? `There is no order ${number}` : JSON.stringify(order);
      return { content: [{ type: 'text', text }], isError: order === undefined };
    },
  );
  return server;
});
