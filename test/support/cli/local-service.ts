import { join } from 'node:path';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import { buildApp } from '../../../src/app/app.ts';
import { loadConfig } from '../../../src/config/config.ts';
import { createOfflineModel } from '../../../src/models/offline/offline-model.ts';
import type { Model } from '../../../src/models/port.ts';
import { databaseSetting } from '../postgres/database-of.ts';
import { temporaryFolder } from './cli-process.ts';

export interface LocalServiceParts {
  /** Default: the offline one. */
  model?: Model;
  now?: () => number;
  env?: Record<string, string>;
}

/** A service in this process for commands that use one; ends with the test. Returns its address. */
export const openLocalService = async ({ model, now, env }: LocalServiceParts = {}): Promise<string> => {
  const dataDir = join(temporaryFolder(), 'data');
  const config = loadConfig({
    TRIPACT_DATA_DIR: dataDir,
    TRIPACT_MODEL: 'offline',
    ...(await databaseSetting(dataDir)),
    ...env,
  });
  const app = await buildApp({
    config,
    log: pino({ level: 'silent' }),
    version: '0',
    model: model ?? createOfflineModel(),
    httpLimits: { loopDelayMsMax: Number.POSITIVE_INFINITY },
    ...(now !== undefined && { now }),
  });
  onTestFinished(() => app.close());
  return app.http.listen({ port: 0, host: '127.0.0.1' });
};
