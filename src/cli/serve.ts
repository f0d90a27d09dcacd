import { flushCompileCache } from 'node:module';
import { styleText } from 'node:util';
import { loadAhead } from '../app/load-ahead.ts';
import type { Config } from '../config.ts';
import { exitCode } from './exit-code.ts';
import { type CliSettings, loadSettings } from './settings.ts';
import { type StartedService, startService } from './start-service.ts';

/** Longest time that a signalled service takes to stop, in milliseconds (SPEC 7): then it leaves the rest to recovery. */
const STOP_MS_MAX = 10_000;

/** The signals that stop the service, and the numbers that an exit by one has by custom: 128 and the signal. */
const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

export interface ServeOptions {
  port?: string;
  host?: string;
  dataDir?: string;
}

const modelLine = ({ model }: Config, name: string): string => {
  if (name === 'offline')
    return 'offline: rules, no network, todos and schedules only; set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL) for a real one';
  const isConfigured = model.kind !== 'offline' && name === `${model.kind}:${model.model}`;
  return isConfigured && model.baseURL !== undefined ? `${name} at ${model.baseURL}` : name;
};

const tryLine = (url: string, { apiKeys }: Config): string => {
  const key = apiKeys.length === 0 ? '' : " -H 'authorization: Bearer <key>'";
  return `curl -s ${url}/v1/sessions/me/turns${key} -H 'content-type: application/json' -d '{"input":"Add milk to my todos"}'`;
};

/** Says where the service is and how to talk to it; never a key. */
const greet = ({ config, filePath }: CliSettings, { app, url }: StartedService): void => {
  const servers = app.mcp.servers().map(({ name }) => `${name} (MCP server)`);
  const lines = [
    ['address', `${url} (API at ${url}/docs)`],
    ['model', modelLine(config, app.modelName)],
    ['data', config.dataDir],
    ['config', filePath ?? 'the environment alone: there is no tripact.config.ts in this folder'],
    ['tools', [...app.tools.list().map(({ name }) => name), ...servers].join(', ') || 'none'],
    ['try', tryLine(url, config)],
  ];
  console.log(styleText('bold', 'Tripact is ready'));
  for (const [name = '', text = ''] of lines) console.log(`  ${styleText('dim', name.padEnd(8))} ${text}`);
};

const stopOnSignals = ({ app, log }: StartedService): void => {
  let isStopping = false;
  const stop = async (signal: keyof typeof STOP_SIGNALS): Promise<void> => {
    if (isStopping) process.exit(STOP_SIGNALS[signal]);
    isStopping = true;
    log.info({ signal }, 'stopping; a second signal stops at once');
    setTimeout(() => process.exit(exitCode.failed), STOP_MS_MAX).unref();
    try {
      await app.close();
      process.exit(exitCode.answered);
    } catch (error) {
      log.error({ err: error }, 'the service could not stop cleanly');
      process.exit(exitCode.failed);
    }
  };
  for (const signal of Object.keys(STOP_SIGNALS) as (keyof typeof STOP_SIGNALS)[])
    process.on(signal, () => void stop(signal));
};

/** `tripact serve`: runs the service until it is signalled. */
export const serve = async ({ port, host, dataDir }: ServeOptions): Promise<void> => {
  const settings = await loadSettings({ TRIPACT_PORT: port, TRIPACT_HOST: host, TRIPACT_DATA_DIR: dataDir });
  for (const name of settings.config.unknown)
    console.error(`Warning: ${name} is not a setting of Tripact; "tripact config" lists them`);
  const service = await startService(settings);
  stopOnSignals(service);
  greet(settings, service);
  await loadAhead(settings.config);
  // Now, for a service may never come to a clean end; after the first requests that wait already.
  setImmediate(flushCompileCache);
};
