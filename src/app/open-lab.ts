import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ServiceLimits } from '../../contracts/service-limits.ts';
import type { Config } from '../config/config.ts';
import type { Log } from '../lib/log.ts';
import { noQueries } from '../lib/queries.ts';
import type { Lab, LaneEngine, LanePerformers } from '../rerun/port.ts';
import { createEngine } from '../runtime/engine.ts';
import { reminderStore } from '../tools/reminders.ts';
import { goalStore } from '../tools/schedule/goals.ts';
import { createWorkspaces } from '../workspace/folder.ts';
import type { TripactConfig } from './define-config.ts';
import type { Agents } from './open-agents.ts';
import { openStorage } from './open-storage.ts';

/** The parts of a service that lanes share with it: none of its data. */
export interface LabParts {
  config: Pick<Config, 'limits' | 'toolTimeoutMs' | 'replan' | 'chain' | 'planning' | 'confirmPlan'>;
  file: Pick<TripactConfig, 'prices'>;
  limits: ServiceLimits;
  agents: Pick<Agents, 'of' | 'agentOf'>;
  log: Log;
}

/** Commands of users have no place in a recorded run. */
const NO_COMMANDS = {
  names: new Set<string>(),
  run: () => noQueries(() => ({ ok: false, result: 'a rerun has no commands' })),
};

/** Opens a place for lanes: the real engine, on a store in a temporary folder that `close` removes. */
export const openLab = async ({ config, file, limits, agents, log }: LabParts): Promise<Lab> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'tripact-rerun-'));
  const remove = (): Promise<void> => rm(dataDir, { recursive: true, force: true });
  const store = await openStorage({ dataDir, maxBytes: limits.database_bytes, log }).catch(async (error: unknown) => {
    await remove();
    throw error;
  });
  const workspaceOf = createWorkspaces(dataDir);
  const { prices = null } = file;

  const open = ({ opened, model, agent, verifier, now, moved }: LanePerformers): LaneEngine => {
    const named = opened.agent === undefined ? [] : [opened.agent];
    const engine = createEngine({
      store,
      effects: {
        model,
        tools: agent.tools,
        agentOf: () => agent,
        verifiers: [verifier],
        toolTimeoutMs: config.toolTimeoutMs,
        prices,
        workspaceOf,
        within: (_session, _signal, work) => work(workspaceOf),
      },
      // A task opens as it was recorded: none of these counts.
      defaults: {
        limits: config.limits,
        agents: { names: named, standard: named[0] ?? null },
        catalogue: agent.tools.catalogue,
        confirmPlan: config.confirmPlan,
        planning: config.planning,
        replan: config.replan,
        chain: config.chain,
        remembered: () => noQueries(() => []),
        skills: () => ({}),
        verifies: false,
        questionExpiry: null,
        modelProblem: null,
      },
      commands: NO_COMMANDS,
      reminders: reminderStore,
      goals: goalStore,
      limits,
      hostTimezone: 'UTC',
      log,
      now,
      postCallback: () => Promise.reject(new Error('a rerun posts nothing')),
      onTaskMoved: (_session, task, _isAnswering, entries) => moved(task, entries.length),
      onTaskEnded: () => {},
      onSessionRemoved: () => {},
    });
    return { ...engine, stop: () => engine.drain(0) };
  };
  const standard = agents.of(null);
  if (standard === undefined) throw new Error('a service has an agent');
  return {
    open,
    agentOf: (task) => agents.agentOf(task) ?? null,
    standard,
    limits: config.limits,
    prices,
    close: async () => {
      await store.close(true);
      await remove();
    },
  };
};
