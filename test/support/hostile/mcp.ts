import { fileURLToPath } from 'node:url';
import type { McpServerConfig } from '../../../src/tools/mcp/port.ts';

const PROGRAM = fileURLToPath(new URL('./mcp-server.ts', import.meta.url));

/** Ways in which an MCP server may behave when its tool `go` is called. */
export const hostileMcpBehaviours = [
  'never_answers',
  'floods',
  'floods_without_end',
  'floods_wrong_blocks',
  'pours_empty_lines',
  'pours_prose',
  'pours_notifications',
  'pours_requests',
  'pours_errors',
  'floods_values',
  'floods_keys',
  'floods_blocks',
  'hidden_characters',
  'floods_errors',
  'deep_result',
  'dies_in_message',
  'answers_others',
  'no_json',
  'odd_result',
  'changes_list',
] as const;

/** The name of one of them. */
export type HostileMcpBehaviour = (typeof hostileMcpBehaviours)[number];

/** A program that behaves so, for a configuration. */
export const hostileMcpServer = (behaviour: HostileMcpBehaviour): McpServerConfig => ({
  command: process.execPath,
  args: [PROGRAM, behaviour],
});
