import { expect, it } from 'vitest';
import { createHeldCalls } from '../../src/tools/mcp/held-calls.ts';
import { createMcpTool } from '../../src/tools/mcp/mcp-tool.ts';
import type { McpServerConfig } from '../../src/tools/mcp/port.ts';
import type { ServerConnection } from '../../src/tools/mcp/server-connection.ts';

const connection = {} as ServerConnection;

const sourceOf = (hint: boolean | undefined, source?: McpServerConfig['source']) =>
  createMcpTool(
    {
      name: 'look',
      inputSchema: { type: 'object' },
      ...(hint !== undefined && { annotations: { openWorldHint: hint } }),
    },
    { name: 'far_look', server: 'far', approval: false, ...(source !== undefined && { source }) },
    { connectionFor: async () => connection, signIns: null, held: createHeldCalls(), hide: (text) => text },
  ).source;

it("an MCP tool's results come from outside unless its openWorldHint is false, or the server is trusted", () => {
  expect([sourceOf(undefined), sourceOf(true), sourceOf(false)]).toEqual(['untrusted', 'untrusted', undefined]);
  expect([sourceOf(true, 'trusted'), sourceOf(false, 'untrusted')]).toEqual([undefined, 'untrusted']);
});
