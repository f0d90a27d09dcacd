import type { Log } from '../lib/log.ts';
import { missingPackages } from '../lib/optional-packages.ts';
import type { McpServerConfig, McpTools } from '../tools/mcp/port.ts';
import { invalidConfig } from './config/read-settings.ts';

/** What the servers are connected with. */
export interface ServerParts {
  log: Log;
  version: string;
  /** Names of the service's own tools. */
  reserved: string[];
}

const NO_SERVERS: McpTools = {
  tools: () => [],
  servers: () => [],
  tried: Promise.resolve(),
  close: async () => {},
};

/**
 * Begins to connect to the MCP servers, whose client is loaded only where there are some; waits for no server. Throws `CONFIG_INVALID`
 * where the client's package is not installed.
 */
export const connectServers = async (
  servers: Readonly<Record<string, McpServerConfig>>,
  parts: ServerParts,
): Promise<McpTools> => {
  if (Object.keys(servers).length === 0) return NO_SERVERS;
  const missing = missingPackages(['@modelcontextprotocol/client']);
  if (missing !== null) throw invalidConfig([`mcpServers: ${missing}`]);
  const { openMcpServers } = await import('../tools/mcp/open-mcp-servers.ts');
  return openMcpServers(servers, { ...parts, cwd: process.cwd() });
};
