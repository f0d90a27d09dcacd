import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { RerunReport } from '../../contracts/rerun.ts';
import { serviceLimitsWith } from '../../contracts/service-limits.ts';
import type { Config, Environment } from '../config/config.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Log } from '../lib/log.ts';
import { madeOnce } from '../lib/once.ts';
import type { Model } from '../models/port.ts';
import { createBudget } from '../rerun/lane-model.ts';
import type { KeepTrace } from '../rerun/port.ts';
import { type RerunSource, rerun } from '../rerun/rerun.ts';
import { createFileChanges } from '../workspace/change-file.ts';
import { closeEach } from './close-each.ts';
import type { TripactConfig } from './define-config.ts';
import { openModels } from './models.ts';
import { openLab } from './open-lab.ts';
import { createRedaction, secretsOf } from './redaction.ts';
import { rerunModels } from './rerun-parts.ts';
import { openTools } from './tools.ts';

/** Recorded tasks, and how they are run again outside of a service. */
export interface RerunTraces {
  sources: readonly RerunSource[];
  config: Config;
  file: TripactConfig;
  env: Environment;
  log: Log;
  version: string;
  /** The candidate's model by its name, and its instructions; both null: there is no candidate. */
  model: string | null;
  instructions: string | null;
  liveReads: boolean;
  /** The amount of money that all lanes may cost, in the currency of the prices; null: no limit. */
  maxCost: string | null;
  concurrency: number;
  signal: AbortSignal;
  progress?: (done: number, all: number) => void;
  keepTrace?: KeepTrace;
  /** In place of the configured model. */
  again?: Model;
  /** In place of a candidate's model by name. */
  candidate?: Model;
}

const NOTHING_CHANGED = (): void => {};

/** The settings with every folder of the service in a temporary one: tools are only described, and read at most. */
const apart = (config: Config, folder: string): Config => ({
  ...config,
  dataDir: folder,
  bridgeDir: config.bridgeDir === null ? null : join(folder, 'volumes'),
  databaseUrl: null,
  nodeUrl: null,
});

const openParts = async ({ config: given, file, env, log, version, again }: RerunTraces, folder: string) => {
  const config = apart(given, folder);
  const limits = serviceLimitsWith(file.limits);
  const redaction = createRedaction(secretsOf(given, env));
  const tools = await openTools({
    config,
    file,
    log,
    version,
    now: Date.now,
    wrap: redaction.tool,
    changeFile: createFileChanges({ bytes: limits.session_file_bytes, files: limits.session_files }),
    // A rerun reads nothing of a data folder.
    textOf: async () => null,
    ownerDataChanged: NOTHING_CHANGED,
    // A rerun acts for nobody.
    signIns: null,
  });
  await tools.mcp.tried;
  // A lane is one model.
  const configured = madeOnce(async () =>
    redaction.model(await openModels(again, { ...config, fallbackModel: null }, file, log)),
  );
  return { config, tools, limits, configured, models: rerunModels({ config, file, log, redaction, configured }) };
};

/**
 * Runs recorded tasks again with the tools, instructions and models of a configuration, without a service: nothing of a data folder is
 * read or written. Servers of tools are connected, since models read what their tools are. Throws `CONFIG_INVALID`.
 */
export const rerunTraces = async (given: RerunTraces): Promise<RerunReport> => {
  const { file, log, model, instructions, candidate } = given;
  const folder = await mkdtemp(join(tmpdir(), 'tripact-rerun-tools-'));
  const open: (() => unknown)[] = [() => rm(folder, { recursive: true, force: true })];
  try {
    const { config, tools, limits, configured, models } = await openParts(given, folder);
    open.unshift(() => tools.mcp.close());
    const named = candidate ?? (model === null ? null : await models.byName(model));
    const { problem } = await configured();
    if (problem !== undefined) throw new ServiceError('MODEL_NOT_CONFIGURED', problem);
    const lab = await openLab({ config, file, limits, agents: tools.agents, log });
    open.unshift(() => lab.close());
    return await rerun({
      ...given,
      lab,
      again: models.again,
      candidate: named === null && instructions === null ? null : { model: named, instructions },
      budget: createBudget(given.maxCost),
      timezone: config.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone,
    });
  } finally {
    await closeEach(open.map((close) => [close]));
  }
};
