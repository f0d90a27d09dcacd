import type { Logger } from 'pino';
import type { Prices } from '../../../contracts/prices.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import type { Model } from '../../models/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Verifier } from '../../verify/port.ts';
import type { TokenQuota } from './token-quota.ts';

/** What one effect is performed with. */
export interface EffectContext {
  owner: string;
  session_id: string;
  timezone: string;
  task: TaskContext;
  /** The effect was open when this process loaded the session, so another may have started it. */
  isRetryAfterCrash: boolean;
  /** Times it was begun without an outcome, this one included. */
  begins: number;
  signal: AbortSignal;
}

/** What performing effects needs. */
export interface EffectDeps {
  model: Model;
  tools: ToolRegistry;
  /** Resolves once tools that come from elsewhere are there, as far as they can be had now. */
  toolsTried?: Promise<void>;
  /** Why an owner's model call is not made; without it every one is. */
  tokenQuota?: TokenQuota;
  verifiers: Verifier[];
  toolTimeoutMs: number;
  /** What a token costs; null: nobody knows. */
  prices: Prices | null;
  /** Who the agent is, for every prompt; null: nothing is said. */
  instructions: string | null;
  /** The session's folder, made when it is first asked for. */
  workspaceOf(owner: string, sessionId: string): string;
  now(): number;
  log: Logger;
}

/** What an error says, of whatever kind was thrown: what throws again when it is read says nothing. */
export const messageOf = (error: unknown): string => {
  try {
    return String(error instanceof Error ? error.message : error);
  } catch {
    return 'unreadable error';
  }
};
