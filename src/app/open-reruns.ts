import { rerun } from '../rerun/rerun.ts';
import { createReruns, type RerunStart, type Reruns } from '../rerun/reruns.ts';
import type { Foundation } from './foundation.ts';
import { openLab } from './open-lab.ts';
import { ownersBudget } from './owners-budget.ts';
import { rerunModels } from './rerun-parts.ts';
import type { ServiceTools } from './tools.ts';

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
