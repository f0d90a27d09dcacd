import type { TraceEntry } from '../../../contracts/trace.ts';
import type { TaskCall } from './calls.ts';

/** The time, tokens and cost of calls of a trace. */
export interface Spent {
  /** Time of models, tools and verifiers, in milliseconds. */
  ms: number;
  /** Time that the task waited for its user, in milliseconds. */
  waited: number;
  tokens: number;
  /** The sum of the known costs; null: none is known. */
  cost: number | null;
  currency: string;
}

/** Zero usage. */
export const NOTHING_SPENT: Spent = { ms: 0, waited: 0, tokens: 0, cost: null, currency: '' };

/** The cost of a call; of one that is not over, until `until`, in epoch milliseconds. */
export const spentOn = (call: TaskCall, entries: readonly TraceEntry[], until: number): Spent => {
  const passed = Math.max(0, (call.endsAt ?? until) - call.beginsAt);
  const event = call.kind === 'wait' || call.to === null ? undefined : entries[call.to]?.event;
  const usage = event !== undefined && 'usage' in event ? event.usage : undefined;
  const { input_tokens = 0, output_tokens = 0, cache_read_tokens = 0, cache_written_tokens = 0, cost } = usage ?? {};
  return {
    ms: call.kind === 'wait' || call.kind === 'point' ? 0 : passed,
    waited: call.kind === 'wait' ? passed : 0,
    tokens: input_tokens + output_tokens + cache_read_tokens + cache_written_tokens,
    cost: cost === undefined ? null : Number(cost.amount),
    currency: cost?.currency ?? '',
  };
};

/** The sum of both. */
export const addSpent = (one: Spent, other: Spent): Spent => ({
  ms: one.ms + other.ms,
  waited: one.waited + other.waited,
  tokens: one.tokens + other.tokens,
  cost: one.cost === null ? other.cost : one.cost + (other.cost ?? 0),
  currency: one.currency || other.currency,
});

/** The sum of the calls that were over at a moment, in epoch milliseconds. */
export const spentUntil = (calls: readonly TaskCall[], entries: readonly TraceEntry[], until: number): Spent =>
  calls
    .filter(({ endsAt }) => endsAt !== null && endsAt <= until)
    .map((call) => spentOn(call, entries, until))
    .reduce(addSpent, NOTHING_SPENT);
