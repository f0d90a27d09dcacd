import { styleText } from 'node:util';
import type { Config } from '../app/config/config.ts';
import { findConfigFile } from '../app/config/config-file.ts';
import { loadAhead } from '../app/load-ahead.ts';
import { findService } from '../app/service-address.ts';
import { ServiceError } from '../lib/errors.ts';
import { printable } from '../lib/printable.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { type CliSettings, loadSettings } from './settings.ts';
import { type StartedService, startService } from './start-service.ts';
import { stopOnSignals } from './stop-signals.ts';
import { noteLine } from './terminal.ts';

export interface ServeOptions {
  port?: string;
  host?: string;
  dataDir?: string;
}

const modelLine = ({ model }: Config, name: string): string => {
  if (name === 'offline')
    return 'offline: rules, no network, todos and schedules only; set ANTHROPIC_API_KEY (or ANTHROPIC_BASE_URL) for a real one';
  const isConfigured = model.kind !== 'offline' && name === `${model.kind}:${model.model}`;
  // A key may stand in an address's query.
  return isConfigured && model.baseURL !== undefined ? `${name} at ${model.baseURL.replace(/[?#].*/, '')}` : name;
};

const tryLine = ({ app, url }: StartedService): string => {
  const key = !app.access.isRequired() ? '' : " -H 'authorization: Bearer <key>'";
  return `curl -s ${url}/v1/sessions/me/turns${key} -H 'content-type: application/json' -d '{"input":"Add milk to my todos"}'`;
};

/** Says where the service is and how to talk to it; never a key. */
const greet = ({ config, filePath }: CliSettings, service: StartedService): void => {
  const { app, url } = service;
  const servers = app.mcp.servers().map(({ name }) => `${name} (MCP server)`);
  const lines = [
    ['address', `${url} (API at ${url}/docs)`],
    ...(config.console ? [['console', `${url}/console`]] : []),
    ['model', modelLine(config, app.modelName)],
    ['data', config.dataDir],
    ['config', filePath ?? 'the environment alone: there is no tripact.config.ts in this folder'],
    ['tools', [...app.tools.list().map(({ name }) => name), ...servers].join(', ') || 'none'],
    ['try', tryLine(service)],
  ];
  console.log(styleText('bold', 'Tripact is ready'));
  for (const [name = '', text = ''] of lines) console.log(`  ${styleText('dim', name.padEnd(8))} ${printable(text)}`);
};

/** An error of a start, with the process that has the data folder where that is the reason. */
const withHolder = (error: unknown, dataDir: string): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') return error;
  const found = findService(dataDir);
  if (found.kind !== 'here') return error;
  const { command, pid, url } = found.address;
  const holder = `tripact ${command}, process ${pid}, at ${url}`;
  return new CommandFailure(`${error.message} (${holder})`, exitCode.failed, { cause: error });
};

/** `tripact serve`: runs the service until it is signalled. */
export const serve = async ({ port, host, dataDir }: ServeOptions): Promise<void> => {
  const file = findConfigFile(process.cwd());
  // Before it is loaded: it may run for ever.
  if (file !== null && process.stderr.isTTY) console.error(noteLine(`loading ${file}`, process.stderr));
  const settings = await loadSettings({ TRIPACT_PORT: port, TRIPACT_HOST: host, TRIPACT_DATA_DIR: dataDir });
  for (const name of settings.config.unknown)
    console.error(`Warning: ${name} is not a setting of Tripact; "tripact config" lists them`);
  const service = await startService(settings, { command: 'serve' }).catch((error: unknown) => {
    throw withHolder(error, settings.config.dataDir);
  });
  stopOnSignals(service.app, service.log);
  greet(settings, service);
  await loadAhead(settings.config);
  service.log.debug('what the first turns use is loaded');
};
