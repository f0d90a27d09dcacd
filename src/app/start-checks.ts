import type { AccessControl } from '../access/port.ts';
import type { CallbackGuard } from '../tools/callback-guard.ts';
import type { Config } from './config/config.ts';
import { invalidConfig } from './config/config.ts';
import type { TripactConfig } from './config/define-config.ts';
import { BUILT_IN_TOOLS } from './config/settings.ts';

/**
 * Throws `CONFIG_INVALID` where `TRIPACT_APPROVE` names a tool that there can't be: a slip in a name would let a tool run unasked. The
 * tools of an MCP server are known only once it is connected.
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

/** Stops a start that would let strangers in: beyond loopback, without any key. Throws `CONFIG_INVALID`. */
export const checkClosed = ({ host, mustAuthenticate }: Config, access: AccessControl): void => {
  if (!mustAuthenticate || access.isRequired()) return;
  throw invalidConfig([
    `TRIPACT_HOST="${host}" would let anyone on the network in: make a key with "tripact keys add <owner>", set TRIPACT_API_KEYS, or TRIPACT_ALLOW_UNAUTHENTICATED=true where something else keeps strangers out.`,
  ]);
};

/** Stops a start whose webhook could never be posted to. Throws `CONFIG_INVALID`. */
export const checkWebhook = async (webhookUrl: string | null, guard: Pick<CallbackGuard, 'problem'>): Promise<void> => {
  const problem = webhookUrl === null ? null : await guard.problem(webhookUrl, 'TRIPACT_WEBHOOK_URL');
  if (problem !== null) throw invalidConfig([`${problem}.`]);
};
