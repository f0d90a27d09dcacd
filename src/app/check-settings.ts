import { isToolMeant } from '../../contracts/tool-pattern.ts';
import { hasPrice } from '../../contracts/usage.ts';
import type { AccessControl } from '../access/port.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import { BUILT_IN_TOOLS } from '../config/settings.ts';
import type { Log } from '../lib/log.ts';
import type { ApprovalRule } from '../tools/approval.ts';
import type { CallbackGuard } from '../tools/callback-guard.ts';
import type { ToolRegistry } from '../tools/registry.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { TripactConfig } from './define-config.ts';

/** Whether a name or pattern may match a tool of an MCP server, which lists its tools later. */
export const mayMeanServer = (pattern: string, server: string): boolean => {
  const beginning = pattern.replace(/\*$/, '');
  const ofServer = `${server}_`;
  return beginning.startsWith(ofServer) || (pattern !== beginning && ofServer.startsWith(beginning));
};

/**
 * Throws `CONFIG_INVALID` if `TRIPACT_APPROVE`, `TRIPACT_APPROVALS` or `approvals` mean no possible tool: a typo would let a tool run
 * unapproved. Tools of MCP servers come later.
 */
export const checkApprovals = (
  { approve, approvals: plain }: Pick<Config, 'approve' | 'approvals'>,
  { tools = [], mcpServers = {}, a2aAgents = {}, approvals = [] }: TripactConfig,
): void => {
  const known = [...BUILT_IN_TOOLS, ...tools.map(({ name }) => name), ...Object.keys(a2aAgents)];
  const servers = Object.keys(mcpServers);
  const isUnknown = (pattern: string): boolean =>
    !known.some((name) => isToolMeant(pattern, name)) && !servers.some((server) => mayMeanServer(pattern, server));
  const ofServers = servers.map((server) => `, ${server}_<tool>`).join('');
  const among = `must list tools among ${known.join(', ')}${ofServers}.`;
  const unknownIn = (place: string, rules: readonly ApprovalRule[]): string[] =>
    rules.flatMap((rule, index) =>
      [rule.tools]
        .flat()
        .filter(isUnknown)
        .map((name) => `${place} › ${index}: "${name}" ${among}`),
    );
  const problems = [
    ...approve.filter(isUnknown).map((name) => `TRIPACT_APPROVE="${name}" ${among}`),
    ...unknownIn('TRIPACT_APPROVALS', plain),
    ...unknownIn(`${CONFIG_FILE} › approvals`, approvals),
  ];
  if (problems.length > 0) throw invalidConfig(problems);
};

/** Throws `CONFIG_INVALID` where money is limited and nobody says what a token costs. */
export const checkPrices = ({ maxTaskCost }: Config, { prices }: TripactConfig): void => {
  if (maxTaskCost === null || prices !== undefined) return;
  throw invalidConfig([
    `TRIPACT_MAX_TASK_COST="${maxTaskCost}" needs "prices" in ${CONFIG_FILE}: what a million tokens cost.`,
  ]);
};

/** Warns where money is limited and the model has no price: each of its calls is of unknown cost and pauses its task. */
export const warnOfPrice = ({ maxTaskCost }: Config, { prices }: TripactConfig, model: string, log: Log): void => {
  if (maxTaskCost === null || prices === undefined || hasPrice(prices, model)) return;
  log.warn(
    { model },
    `TRIPACT_MAX_TASK_COST limits money, but "prices" in ${CONFIG_FILE} has none for the model: a task pauses after its first call`,
  );
};

/** Refuses a start that would be open to strangers: beyond loopback without any key. Throws `CONFIG_INVALID`. */
export const checkClosed = ({ host, mustAuthenticate }: Config, access: Pick<AccessControl, 'isRequired'>): void => {
  if (!mustAuthenticate || access.isRequired()) return;
  throw invalidConfig([
    `TRIPACT_HOST="${host}" would let anyone on the network in: make a key with "tripact keys add <owner>", set TRIPACT_API_KEYS, or TRIPACT_ALLOW_UNAUTHENTICATED=true where something else keeps strangers out.`,
  ]);
};

/**
 * Warns if tools name approvers and all callers look the same: without keys everybody is the local owner, who
 * decides.
 */
export const warnOfNobody = (
  tools: Pick<ToolRegistry, 'list'>,
  access: Pick<AccessControl, 'isRequired'>,
  log: Log,
): void => {
  const guarded = tools.list().filter(({ approvers }) => approvers !== undefined);
  if (access.isRequired() || guarded.length === 0) return;
  log.warn(
    { tools: guarded.map(({ name }) => name) },
    'tools name approvers, but there are no keys: every caller is the local owner and may decide. Make keys with "tripact keys add"',
  );
};

/** Refuses a start with a webhook that could never be posted to. Throws `CONFIG_INVALID`. */
export const checkWebhooks = async (
  { webhookUrl, auditWebhook }: Config,
  guard: Pick<CallbackGuard, 'problem'>,
): Promise<void> => {
  const problems = [
    webhookUrl === null ? null : await guard.problem(webhookUrl, 'TRIPACT_WEBHOOK_URL'),
    auditWebhook === null ? null : await guard.problem(auditWebhook, 'TRIPACT_AUDIT_WEBHOOK'),
  ].filter((problem) => problem !== null);
  if (problems.length > 0) throw invalidConfig(problems.map((problem) => `${problem}.`));
};
