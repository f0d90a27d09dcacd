import { noQueries } from '../lib/queries.ts';
import type { TaskDefaults } from '../session/input.ts';
import { factStore } from '../tools/memory/memory.ts';
import type { Foundation } from './foundation.ts';
import type { ServiceTools } from './tools.ts';

/** Gathers what a new task begins with. */
export const taskDefaults = (
  { config, file, model }: Foundation,
  { registry, agents }: ServiceTools,
): TaskDefaults => ({
  limits: config.limits,
  agents,
  catalogue: (agent) =>
    agents.of(agent)?.tools.catalogue() ?? { tools: [], executors: [{ name: 'default', tools: null }] },
  confirmPlan: config.confirmPlan,
  planning: config.planning,
  replan: config.replan,
  chain: config.chain,
  remembered: registry.get('remember') === undefined ? () => noQueries(() => []) : factStore.remembered,
  skills: (agent, catalogue) => agents.of(agent)?.hashes(catalogue) ?? {},
  verifies: (file.verify ?? []).length > 0,
  questionExpiry: config.questionExpiry,
  modelProblem: model.problem ?? null,
});
