import type { TraceEntry } from '../../../contracts/trace.ts';

/** The time, tokens and cost of one or more entries of a trace. */
export interface Spent {
  /** Time that models and tools took, in milliseconds. */
  ms: number;
  /** Time that the task waited for its user, in milliseconds. */
  waited: number;
  tokens: number;
  /** The sum of the costs that are known; null: none is. */
  cost: number | null;
  currency: string;
}

/** Nothing yet. */
export const NOTHING_SPENT: Spent = { ms: 0, waited: 0, tokens: 0, cost: null, currency: '' };

/** States in which nothing goes on until the user does something. */
const AT_REST: readonly unknown[] = ['awaiting_user', 'paused', 'done', 'failed', 'cancelled'];

/** The same of an entry, since the one before it in its task; the first took no time. */
export const spentOn = ({ at, event }: TraceEntry, before: TraceEntry | undefined): Spent => {
  const passed = before === undefined ? 0 : Math.max(0, Date.parse(at) - Date.parse(before.at));
  const isRest = AT_REST.includes(before?.state);
  const usage = 'usage' in event ? event.usage : undefined;
  const { input_tokens = 0, output_tokens = 0, cache_read_tokens = 0, cache_written_tokens = 0, cost } = usage ?? {};
  return {
    ms: isRest ? 0 : passed,
    waited: isRest ? passed : 0,
    tokens: input_tokens + output_tokens + cache_read_tokens + cache_written_tokens,
    cost: cost === undefined ? null : Number(cost.amount),
    currency: cost?.currency ?? '',
  };
};

/** Both together. */
export const addSpent = (one: Spent, other: Spent): Spent => ({
  ms: one.ms + other.ms,
  waited: one.waited + other.waited,
  tokens: one.tokens + other.tokens,
  cost: one.cost === null ? other.cost : one.cost + (other.cost ?? 0),
  currency: one.currency || other.currency,
});
