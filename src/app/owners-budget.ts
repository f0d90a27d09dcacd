import { costOfDay, nextMidnight } from '../../contracts/access.ts';
import type { LaneEnd } from '../../contracts/rerun.ts';
import { isAtLeast, totalTokens } from '../../contracts/usage.ts';
import { type Budget, createBudget } from '../rerun/lane-model.ts';
import type { Foundation } from './foundation.ts';

/**
 * A budget that also keeps to the owner's daily quota, and counts what is asked in the owner's usage. `max` null: no limit
 * of its own.
 */
export const ownersBudget = (
  { store: { access }, file, now }: Pick<Foundation, 'store' | 'file' | 'now'>,
  owner: string,
  max: string | null,
): Budget => {
  const budget = createBudget(max);
  const quotaRefusal = async (): Promise<LaneEnd | null> => {
    const { tokens_per_day: tokens = null, cost_per_day: money = null } = (await access.quotas.of(owner)) ?? {};
    if (tokens === null && money === null) return null;
    const at = now();
    const today = await access.usedOn(owner, at);
    const spent = costOfDay(today, file.prices?.currency ?? null);
    const isUsedUp =
      (tokens !== null && totalTokens(today.usage) >= tokens) ||
      (money !== null && (spent === null || isAtLeast(spent, money)));
    return isUsedUp
      ? { kind: 'quota', text: `the daily quota is used up until ${new Date(nextMidnight(at)).toISOString()}` }
      : null;
  };
  return {
    refusal: async () => (await budget.refusal()) ?? quotaRefusal(),
    spend: async (usage) => {
      await budget.spend(usage);
      await access.countCall(owner, now(), usage);
    },
  };
};
