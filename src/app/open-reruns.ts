import { costOfDay, nextMidnight } from '../../contracts/access.ts';
import type { LaneEnd } from '../../contracts/rerun.ts';
import { isAtLeast, totalTokens } from '../../contracts/usage.ts';
import { type Budget, createBudget } from '../rerun/lane-model.ts';
import { rerun } from '../rerun/rerun.ts';
import { createReruns, type RerunStart, type Reruns } from '../rerun/reruns.ts';
import type { Foundation } from './foundation.ts';
import { openLab } from './open-lab.ts';
import { rerunModels } from './rerun-parts.ts';
import type { ServiceTools } from './tools.ts';

/** A budget that also keeps to the owner's daily quota, and counts what is asked in the owner's usage. */
const ownersBudget = ({ store: { access }, file, now }: Foundation, owner: string, max: string | null): Budget => {
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

/** Opens the reruns of a service: with its tools, agents and models, on stores of their own. */
export const openReruns = (foundation: Foundation, tools: ServiceTools): Reruns => {
  const { config, file, limits, hostTimezone, log, now, model, redaction } = foundation;
  const models = rerunModels({ config, file, log, redaction, configured: async () => model });

  const run = async ({ owner, request, sources, signal, progress, keepTrace }: RerunStart) => {
    const named = request.model === undefined ? null : await models.byName(request.model);
    const instructions = request.instructions ?? null;
    const lab = await openLab({ config, file, limits, agents: tools.agents, log });
    try {
      return await rerun({
        sources,
        lab,
        signal,
        progress,
        keepTrace,
        again: models.again,
        candidate: named === null && instructions === null ? null : { model: named, instructions },
        liveReads: request.live_reads,
        budget: ownersBudget(foundation, owner, request.max_cost ?? null),
        timezone: request.timezone ?? hostTimezone,
        concurrency: request.concurrency,
      });
    } finally {
      await lab.close();
    }
  };
  return createReruns({ run, atOnce: limits.reruns, now });
};
