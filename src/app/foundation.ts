import type { Logger } from 'pino';
import { type ServiceLimits, serviceLimitsWith } from '../../contracts/service-limits.ts';
import type { Config } from '../config/config.ts';
import type { Model } from '../models/port.ts';
import type { TracingEnvironment } from '../telemetry/port.ts';
import { checkApprovals, checkPrices, warnOfPrice } from './check-settings.ts';
import type { TripactConfig } from './define-config.ts';
import { openModels } from './models.ts';
import { openStorage, type Storage } from './open-storage.ts';
import { createRedaction, secretsOf } from './redaction.ts';

/** Options of a service; tests set a model or a clock of their own. */
export interface ServiceOptions {
  config: Config;
  file?: TripactConfig;
  log: Logger;
  version: string;
  model?: Model;
  now?: () => number;
  /** Secrets that are removed from texts of models, tools and verifiers; default: the configured keys. */
  secrets?: readonly string[];
  /** The environment with OpenTelemetry's variables; without one nothing is traced. */
  env?: TracingEnvironment;
  /** False: nothing continues by itself: no tasks, reminders, callbacks or retention. */
  resumes?: boolean;
  /** How long to wait for another process's lock on the data folder, in milliseconds. */
  lockWaitMs?: number;
}

/** Shared by all parts of a service: settings, log, clock, model and store. */
export interface Foundation {
  readonly config: Config;
  readonly file: TripactConfig;
  readonly limits: ServiceLimits;
  /** The time zone of sessions whose users named none, IANA. */
  readonly hostTimezone: string;
  readonly version: string;
  readonly env: TracingEnvironment;
  /** False: no task, reminder, callback or retention runs by itself. */
  readonly resumes: boolean;
  readonly log: Logger;
  now(): number;
  readonly secrets: readonly string[];
  readonly redaction: ReturnType<typeof createRedaction>;
  /** The model, with secrets removed from its answers. */
  readonly model: Model;
  readonly store: Storage;
}

/** Checks the settings, and opens the model and the store. The caller closes the store. Throws `CONFIG_INVALID`, and what `openStorage` throws. */
export const openFoundation = async (options: ServiceOptions): Promise<Foundation> => {
  const { config, file: given = {}, log, version, env = {}, now = Date.now, resumes = true, lockWaitMs } = options;
  checkApprovals(config, given);
  const file = { ...given, approvals: [...config.approvals, ...(given.approvals ?? [])] };
  checkPrices(config, file);
  const limits = serviceLimitsWith(file.limits);
  const secrets = options.secrets ?? secretsOf(config, {});
  const redaction = createRedaction(secrets);
  const model = redaction.model(await openModels(options.model, config, file, log));
  warnOfPrice(config, file, model.name, log);
  const store = await openStorage({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    nodeUrl: resumes ? config.nodeUrl : null,
    restate: config.scheduler === 'restate' ? config : null,
    maxBytes: limits.database_bytes,
    lockWaitMs,
    log,
  });
  const hostTimezone = config.timezone ?? Intl.DateTimeFormat().resolvedOptions().timeZone;
  return { config, file, limits, hostTimezone, version, env, resumes, log, now, secrets, redaction, model, store };
};
