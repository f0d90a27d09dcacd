import type { AccessControl } from '../access/port.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import { BUILT_IN_TOOLS } from '../config/settings.ts';
import type { CallbackGuard } from '../tools/callback-guard.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { TripactConfig } from './define-config.ts';

/**
 * Throws `CONFIG_INVALID` if `TRIPACT_APPROVE` names an impossible tool: a typo would let a tool run unapproved. Tools
 * of MCP servers come later.
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
    unknown.map((name) => `TRIPACT_APPROVE="${name}" must list tools among ${known.join(', ')}${ofServers}.`),
  );
};

/** Throws `CONFIG_INVALID` where money is limited and nobody says what a token costs. */
export const checkPrices = ({ maxTaskCost }: Config, { prices }: TripactConfig): void => {
  if (maxTaskCost === null || prices !== undefined) return;
  throw invalidConfig([
    `TRIPACT_MAX_TASK_COST="${maxTaskCost}" needs "prices" in ${CONFIG_FILE}: what a million tokens cost.`,
  ]);
};

/** Refuses a start that would be open to strangers: beyond loopback without any key. Throws `CONFIG_INVALID`. */
export const checkClosed = ({ host, mustAuthenticate }: Config, access: Pick<AccessControl, 'isRequired'>): void => {
  if (!mustAuthenticate || access.isRequired()) return;
  throw invalidConfig([
    `TRIPACT_HOST="${host}" would let anyone on the network in: make a key with "tripact keys add <owner>", set TRIPACT_API_KEYS, or TRIPACT_ALLOW_UNAUTHENTICATED=true where something else keeps strangers out.`,
  ]);
};

/** Refuses a start whose webhook could never be posted to. Throws `CONFIG_INVALID`. */
export const checkWebhook = async ({ webhookUrl }: Config, guard: Pick<CallbackGuard, 'problem'>): Promise<void> => {
  const problem = webhookUrl === null ? null : await guard.problem(webhookUrl, 'TRIPACT_WEBHOOK_URL');
  if (problem !== null) throw invalidConfig([`${problem}.`]);
};
