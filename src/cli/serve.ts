import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { styleText } from 'node:util';
import ipaddr from 'ipaddr.js';
import manifest from 'tripact/package.json' with { type: 'json' };
import { buildApp } from '../app/app.ts';
import { findConfigFile, withFileSettings } from '../app/config-file.ts';
import { findService, publishAddress } from '../app/data-folder.ts';
import { withOneModel } from '../app/one-model.ts';
import { secretsOf } from '../app/redaction.ts';
import type { ScriptModel } from '../app/script-model.ts';
import { outliveToolFaults } from '../app/tool-faults.ts';
import type { Config } from '../config/config.ts';
import { modelName } from '../config/model-config.ts';
import { ServiceError } from '../lib/errors.ts';
import { createLog } from '../lib/log.ts';
import { printable } from '../lib/printable.ts';
import type { Model } from '../models/port.ts';
import { CommandFailure, exitCode } from './failure.ts';
import { scriptModelOf } from './script.ts';
import { type CliOptions, type CliSettings, loadSettings, warnOfUnknown } from './settings.ts';
import { noteTo } from './terminal.ts';

/** Connections that the operating system queues until they are accepted; it may allow fewer. */
const BACKLOG = 4_096;

/**
 * The host by which a browser or curl can connect, also if the service listens on every address, or on an IPv4 address
 * in IPv6 form.
 */
const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  if (!host.includes(':')) return host;
  const address = ipaddr.isValid(host) ? ipaddr.process(host).toString() : host;
  return address.includes(':') ? `[${address}]` : address;
};

const whyNotListening = (error: unknown, host: string, port: number): unknown => {
  const { code } = error as { code?: unknown };
  if (code === 'EADDRINUSE')
    return new CommandFailure(`Port ${port} of ${host} is taken: choose another with --port, or 0 for any free one`);
  if (code === 'EACCES') return new CommandFailure(`This user may not use port ${port}: choose one above 1023`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandFailure(`${host} is not an address of this machine: check --host or TRIPACT_HOST`);
  return error;
};

interface StartOptions {
  command: string;
  /**
   * How long to wait for another process's lock on the data folder, in milliseconds. The process does nothing else
   * meanwhile.
   */
  lockWaitMs?: number;
  /** Answers in place of every configured model. */
  model?: Model;
  /** The same, by a script. */
  script?: ScriptModel;
  /** Nothing continues by itself, and other processes do not find the service. */
  isAlone?: true;
}

/** The settings with one model, which is made elsewhere: none of their own is opened. */
const withoutModels = ({ config, file }: Pick<CliSettings, 'config' | 'file'>) => ({
  config: { ...config, fallbackModel: null },
  file: withOneModel(file),
});

/**
 * Builds the service, listens, and writes its address and a key into the data folder. Throws `DATA_DIR_LOCKED`,
 * `STORE_TOO_NEW`, or why it cannot listen.
 */
export const startService = async (
  { filePath, ...settings }: Pick<CliSettings, 'config' | 'file' | 'filePath'>,
  { command, lockWaitMs, script, model = script, isAlone }: StartOptions,
) => {
  const { config, file } = model === undefined ? settings : withoutModels(settings);
  const { port } = config;
  // For `localhost`, Fastify listens on each address by a separate server, and applies limits only to the first.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  const key = randomUUID();
  const secrets = [...secretsOf(config, withFileSettings(process.env, file)), key];
  const log = createLog({ level: config.logLevel, secrets });
  const app = await buildApp({
    env: process.env,
    config,
    file,
    log,
    secrets,
    ownKey: key,
    version: manifest.version,
    ...(lockWaitMs !== undefined && { lockWaitMs }),
    ...(model !== undefined && { model }),
    resumes: isAlone !== true,
  });
  script?.readFrom(app.engine);
  const { tools, mcp, modelName, voice } = app;
  log.info(
    {
      config_file: filePath,
      model: modelName,
      ...(voice !== null && { voice }),
      tools: tools.list().flatMap(({ name, for_models }) => (for_models ? [name] : [])),
      executors: tools.executors.map(({ name }) => name),
      mcp_servers: mcp.servers().map(({ name }) => name),
    },
    'configured; tools of MCP servers follow when these are connected',
  );
  // Now, because a service may never end cleanly, and later this would delay requests: after an installation it takes
  // 150 to 600 ms.
  flushCompileCache();
  const stopOutliving = outliveToolFaults(log);
  try {
    await app.http.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    await app.close();
    stopOutliving();
    throw whyNotListening(error, host, port);
  }
  const { port: taken } = app.http.server.address() as AddressInfo;
  const url = `http://${reachable(host)}:${taken}`;
  let unpublish = (): void => {};
  try {
    if (isAlone !== true) unpublish = publishAddress(config.dataDir, { url, command, key });
  } catch (error) {
    log.warn({ err: error }, 'the address could not be written: commands find this service only by --url');
  }
  const close = async (): Promise<void> => {
    unpublish();
    await app.close();
    stopOutliving();
  };
  return { app: { ...app, close }, url, log, key };
};

export type StartedService = Awaited<ReturnType<typeof startService>>;

const modelLine = ({ model }: Config, name: string): string => {
  if (name === 'offline')
    return 'offline: rules, no network, todos and schedules only; set ANTHROPIC_API_KEY or OPENAI_API_KEY for a real one, or try your own tools with --script <file>';
  const isConfigured = model.kind !== 'offline' && name === modelName(model);
  // An address's query may contain a key.
  return isConfigured && model.baseURL !== undefined ? `${name} at ${model.baseURL.replace(/[?#].*/, '')}` : name;
};

/** A request that shows something: the offline model knows todos, a script answers whatever is said. */
const tryLine = ({ app, url }: StartedService, isScripted: boolean): string => {
  const addsTodos = !isScripted && app.tools.list().some(({ name, for_models }) => name === 'todo' && for_models);
  const input = addsTodos ? 'Add milk to my todos' : 'What can you do?';
  const key = !app.access.isRequired() ? '' : " -H 'authorization: Bearer <key>'";
  return `curl -s ${url}/v1/sessions/me/turns${key} -H 'content-type: application/json' -d '{"input":"${input}"}'`;
};

const databaseName = (url: string): string => {
  const { host, pathname } = new URL(url);
  return `postgres://${host}${pathname}`;
};

/** Says of a service without a model what answers, and what happens at the end of it. */
const scriptLine = (path: string): string =>
  `scripted: no model is asked. Each task gets the answers of ${path} in order, and pauses when none is left`;

const greet = ({ config, filePath }: CliSettings, service: StartedService, script: string | undefined): void => {
  const { app, url } = service;
  const servers = app.mcp.servers().map(({ name }) => `${name} (MCP server)`);
  const told = app.tools.list().flatMap(({ name, for_models }) => (for_models ? [name] : []));
  const lines = [
    ['address', `${url} (API at ${url}/docs)`],
    ...(config.console ? [['console', `${url}/console`]] : []),
    ['model', script === undefined ? modelLine(config, app.modelName) : scriptLine(script)],
    [
      'data',
      config.databaseUrl === null ? config.dataDir : `${databaseName(config.databaseUrl)}, files in ${config.dataDir}`,
    ],
    ['config', filePath ?? 'the environment only: there is no tripact.config.ts in this folder'],
    ['tools', [...told, ...servers].join(', ') || 'none'],
    ['try', tryLine(service, script !== undefined)],
  ];
  console.log(styleText('bold', 'Tripact is ready'));
  for (const [name = '', text = ''] of lines) console.log(`  ${styleText('dim', name.padEnd(8))} ${printable(text)}`);
};

/** An error at the start, with the process that holds the data folder if that is the reason. */
const withHolder = (error: unknown, dataDir: string): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') return error;
  const found = findService(dataDir);
  if (found.kind !== 'here') return error;
  const { command, pid, url } = found.address;
  const holder = `tripact ${command}, process ${pid}, at ${url}`;
  return new CommandFailure(`${error.message} (${holder})`, exitCode.failed, { cause: error });
};

/** Longest time for a service to stop after a signal, in milliseconds (SPEC 7). Recovery handles the rest. */
const STOP_MS_MAX = 10_000;

/**
 * Under npm each Ctrl-C comes twice, from the terminal and passed on by npm. Within this time, in milliseconds, both
 * count as one.
 */
const REPEATED_BY_NPM_MS = 500;

const PARENT_CHECK_MS = 1_000;

/**
 * Closes the service and ends the process at the first signal; at a second one, ends it at once (128 plus its number).
 * Under npm it ends with its parent.
 */
const stopOnSignals = ({ app, log }: StartedService): void => {
  const isUnderNpm = process.env['npm_lifecycle_event'] !== undefined;
  const parent = process.ppid;
  let stoppingSince: number | null = null;
  const stop = (reason: string, number = 0): void => {
    if (stoppingSince !== null) {
      if (!isUnderNpm || performance.now() - stoppingSince > REPEATED_BY_NPM_MS) process.exit(128 + number);
      return;
    }
    stoppingSince = performance.now();
    clearInterval(watching);
    log.info({ signal: reason }, 'stopping; a second signal stops at once');
    setTimeout(() => process.exit(exitCode.failed), STOP_MS_MAX).unref();
    app.close().then(
      () => process.exit(exitCode.answered),
      (error: unknown) => {
        log.error({ err: error }, 'the service could not stop cleanly');
        process.exit(exitCode.failed);
      },
    );
  };
  const watching = setInterval(() => {
    if (isUnderNpm && process.ppid !== parent) stop('parent ended');
  }, PARENT_CHECK_MS).unref();
  process.on('SIGINT', stop).on('SIGTERM', stop);
};

/** `tripact serve`: runs the service until it gets a signal. */
export const serve = async ({ port, host, dataDir, script: path }: CliOptions): Promise<void> => {
  const script = path === undefined ? undefined : await scriptModelOf(path);
  const file = findConfigFile(process.cwd());
  // Before the file is loaded, as it may run forever.
  if (file !== null && process.stderr.isTTY) noteTo(process.stderr)(`loading ${file}`);
  const settings = await loadSettings({ TRIPACT_PORT: port, TRIPACT_HOST: host, TRIPACT_DATA_DIR: dataDir });
  warnOfUnknown(settings.env);
  const options = { command: 'serve', ...(script !== undefined && { script }) };
  const service = await startService(settings, options).catch((error: unknown) => {
    throw withHolder(error, settings.config.dataDir);
  });
  stopOnSignals(service);
  greet(settings, service, path);
  // In a checkout it is built now, not when somebody waits for it. The log has the reason where it can't be.
  service.app.findConsole?.().catch(() => {});
};
