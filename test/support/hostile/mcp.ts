import { fileURLToPath } from 'node:url';
import type { McpServerConfig } from '../../../src/tools/mcp/port.ts';

const PROGRAM = fileURLToPath(new URL('./mcp-server.ts', import.meta.url));

/** Ways in which an MCP server may behave when its tool `go` is called. */
export const hostileMcpBehaviours = [
  'never_answers',
  'floods',
  'hidden_characters',
  'floods_errors',
  'deep_result',
  'dies_in_message',
  'no_json',
  'odd_result',
] as const;

/** The name of one of them. */
export type HostileMcpBehaviour = (typeof hostileMcpBehaviours)[number];

/** A program that behaves so, for a configuration. */
export const hostileMcpServer = (behaviour: HostileMcpBehaviour): McpServerConfig => ({
  command: process.execPath,
  args: [PROGRAM, behaviour],
});
