import type { Logger } from 'pino';
import { nextMidnight } from '../../../contracts/access.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { TaskContext } from '../../../contracts/task.ts';
import type { Language } from '../../../contracts/text.ts';
import { type Prices, totalTokens } from '../../../contracts/usage.ts';
import type { AccessStore } from '../../access/port.ts';
import type { Model } from '../../models/port.ts';
import type { ToolRegistry } from '../../tools/registry.ts';
import type { Verifier } from '../../verify/port.ts';

/** The check before each model call. */
interface TokenQuotaParts {
  access: AccessStore;
  now(): number;
}

/** Says why an owner's model call is not made today; null: nothing is against it. */
export type TokenQuota = (owner: string, language: Language) => Promise<string | null>;

/** Counts an owner's tokens of today before each model call (SPEC 6), without the calls under way. */
export const createTokenQuota =
  ({ access, now }: TokenQuotaParts): TokenQuota =>
  async (owner, language) => {
    const { tokens_per_day: limit = null } = (await access.quotas.of(owner)) ?? {};
    if (limit === null) return null;
    const at = now();
    const used = totalTokens((await access.usedOn(owner, at)).usage);
    return used < limit ? null : messages(language).taskNotes.tokenQuota(used, limit, nextMidnight(at));
  };

/** Inputs of one effect. */
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

/** Dependencies of performing effects. */
export interface EffectDeps {
  model: Model;
  tools: ToolRegistry;
  /** Resolves once tools that come from elsewhere are there, as far as they can be had now. */
  toolsTried?: Promise<void>;
  /** Why an owner's model call is not made; without it every one is. */
  tokenQuota?: TokenQuota;
  verifiers: Verifier[];
  toolTimeoutMs: number;
  /** The price of a token; null: unknown. */
  prices: Prices | null;
  /** Who the agent is, for every prompt; null: nothing is said. */
  instructions: string | null;
  /** The session's folder, made when it is first asked for. */
  workspaceOf(owner: string, sessionId: string): string;
  now(): number;
  log: Logger;
}

/** The message of an error, of whatever kind was thrown. */
export const messageOf = (error: unknown): string => String(error instanceof Error ? error.message : error);
