import { BUILT_IN_TOOLS } from './built-in-tools.ts';
import type { TripactConfig } from './define-config.ts';
import { invalidConfig } from './read-settings.ts';

/**
 * Checks that `TRIPACT_APPROVE` names tools that there can be: built-in ones, those of the configuration file, and those of its MCP
 * servers, whose tools are known only once they are connected. Throws `CONFIG_INVALID`: a slip in a name would let a tool run unasked.
 */
export const checkApprovals = (approve: readonly string[], { tools = [], mcpServers = {} }: TripactConfig): void => {
  const known = [...BUILT_IN_TOOLS, ...tools.map(({ name }) => name)];
  const servers = Object.keys(mcpServers);
  const unknown = approve.filter(
    (name) => !known.includes(name) && !servers.some((server) => name.startsWith(`${server}_`)),
  );
  if (unknown.length === 0) return;
  const ofServers = servers.map((server) => `, ${server}_<tool>`).join('');
  throw invalidConfig(
    unknown.map((name) => `TRIPACT_APPROVE="${name}" must be names of tools, of ${known.join(', ')}${ofServers}.`),
  );
};
