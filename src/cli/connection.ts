import { setTimeout as pause } from 'node:timers/promises';
import { findService, hasDatabase, type ServiceAddress } from '../app/data-folder.ts';
import type { ScriptModel } from '../app/script-model.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Model } from '../models/port.ts';
import { createClient } from './client.ts';
import { CommandFailure, type ConnectionLost, commandName, wrongUsage } from './failure.ts';
import type { StartedService } from './serve.ts';
import { type CliOptions, loadSettings, warnOfUnknown } from './settings.ts';
import { hostTimezone, noteTo } from './terminal.ts';

/**
 * How often a service that was reached before is retried, and the pause before each attempt, in milliseconds: a restart
 * takes less.
 */
const RECONNECTS_MAX = 30;
const RECONNECT_MS = 500;

/**
 * Longest wait for a process that holds the data folder and publishes no address, in milliseconds: stopping takes up to
 * 10 s.
 */
const HELD_MS_MAX = 12_000;

/** Pause before the next check, in milliseconds: a service starts within a few hundred. */
const LOOK_MS = 40;

/** How long a wait lasts before a line about it is shown, in milliseconds. */
const NOTICE_MS = 400;

/** A service in this process or another one. For an explicit address the key is not known. */
type Attached = Pick<ServiceAddress, 'url' | 'command'> & { key: string | null; own: StartedService | null };

/**
 * Finds the service on a data folder, or starts one. `start` rejects with `DATA_DIR_LOCKED` at once if another process
 * is faster.
 */
const attach = async (
  dataDir: string,
  start: () => Promise<StartedService>,
  signal?: AbortSignal,
): Promise<Attached> => {
  const since = performance.now();
  for (let isNoted = false; ; ) {
    const found = findService(dataDir);
    if (found.kind === 'here') return { own: null, ...found.address };
    if (found.kind === 'elsewhere')
      throw new CommandFailure(
        `A service in another container or on another machine (${found.address.host}) uses ${dataDir}; add its address: --url http://…`,
      );
    if (found.kind === 'none') {
      try {
        const own = await start();
        return { own, url: own.url, key: own.key, command: '' };
      } catch (error) {
        if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') throw error;
      }
    }
    const waited = performance.now() - since;
    if (waited > HELD_MS_MAX)
      throw new CommandFailure(
        `Another process uses ${dataDir} and does not answer; stop it, or choose another folder with --data-dir`,
      );
    if (waited > NOTICE_MS && !isNoted) {
      isNoted = true;
      noteTo(process.stderr)('Waiting for the process that uses the data folder');
    }
    await pause(LOOK_MS, undefined, { signal });
  }
};

/**
 * Connects to the service at `url`, else to the one on a data folder, or starts one there. Waits for a restart of
 * `tripact serve`; replaces the service of a command that ended.
 */
const connect = async (url: string | null, dataDir: string, start: () => Promise<StartedService>) => {
  let attached: Attached =
    url === null ? await attach(dataDir, start) : { url, key: null, command: 'serve', own: null };
  let attaching: Promise<void> | null = null;
  let isClosed = false;

  /** Finds the running service, or starts one. Only one search runs at a time. */
  const attachAgain = (signal?: AbortSignal): Promise<void> => {
    attaching ??= attach(dataDir, start, signal)
      .then((next) => {
        attached = next;
      })
      .finally(() => {
        attaching = null;
      });
    return attaching;
  };

  return {
    base: () => attached.url,
    key: () => attached.key,
    restore: async (lost: ConnectionLost, wasReached: boolean, inVain: number, signal?: AbortSignal): Promise<void> => {
      const isHopeless = isClosed || attached.own !== null || inVain >= RECONNECTS_MAX;
      const isUnknownAddress = url !== null && !wasReached;
      if (isHopeless || isUnknownAddress) throw lost;
      const before = attached.url;
      const isRestarting = wasReached && attached.command === 'serve';
      if (url === null && !(isRestarting && findService(dataDir).kind !== 'here')) await attachAgain(signal);
      if (attached.url === before) await pause(RECONNECT_MS, undefined, { signal });
    },
    own: () => attached.own,
    close: async () => {
      isClosed = true;
      await attaching?.catch(() => {});
      await attached.own?.app.close();
    },
  };
};

/** The command line that continues a session on the same service, with the same script. */
export const sessionCommand = (command: string, sessionId: string, { url, dataDir, script }: CliOptions): string => {
  const service = [
    ...(url === undefined ? [] : ['--url', url]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  const model = script === undefined ? [] : ['--script', script];
  return [commandName(), command, ...service, '--session', sessionId, ...model].join(' ');
};

const checkedUrl = (url: string): string => {
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') throw wrongUsage(`--url ${url} is not an http or https address`);
  if (username !== '' || password !== '')
    throw wrongUsage('--url must not contain a user or password: put a key into TRIPACT_API_KEY');
  return url.replace(/(?<!\/)\/+$/, '');
};

const NO_MODEL: Model = {
  name: 'none',
  answer: () => Promise.reject(new Error('this service was started without a model')),
};

/**
 * A command's need of a service that it starts. `work`: tasks run, on a working model. `tools`: tools are called.
 * `read`: nothing changes, and no data folder is created. A script: tasks run by it, in a service that is always the
 * command's own, and nothing else goes on in it.
 */
type Need = 'work' | 'tools' | 'read' | ScriptModel;

/** Refuses a data folder whose service answers by its own model. */
const refuseOther = (dataDir: string): void => {
  const found = findService(dataDir);
  if (found.kind === 'none') return;
  const holder = found.kind === 'here' ? ` (tripact ${found.address.command}, process ${found.address.pid})` : '';
  throw new CommandFailure(
    `A service uses ${dataDir}${holder} and asks its own model: stop it, or choose another folder with --data-dir`,
  );
};

/**
 * Opens a command's service: the one at `url`, else the one on the data folder, else its own, which `close` stops.
 * Sends the chosen key, else the folder's.
 */
const openService = async (options: CliOptions, command: string, need: Need) => {
  const given = { TRIPACT_DATA_DIR: options.dataDir, TRIPACT_HOST: '127.0.0.1', TRIPACT_PORT: '0' };
  const script = typeof need === 'object' ? need : null;
  // The script's own faults are shown by the command.
  const defaults = { TRIPACT_LOG_LEVEL: script === null ? 'error' : 'fatal' };
  // A command that only talks to a service needs no working model.
  const settings = await loadSettings(given, defaults).catch(() =>
    loadSettings({ ...given, TRIPACT_MODEL: 'offline' }, defaults),
  );
  const { config, file } = settings;
  warnOfUnknown(settings.env);
  const timezone = config.timezone ?? hostTimezone();
  if (script !== null) refuseOther(config.dataDir);
  const named = script === null ? (options.url ?? (options.dataDir === undefined ? config.url : null)) : null;
  const url = named === null ? null : checkedUrl(named);
  const start = async (): Promise<StartedService> => {
    if (need === 'read' && config.databaseUrl === null && !hasDatabase(config.dataDir))
      throw new CommandFailure(`There is no Tripact database in ${config.dataDir}`);
    const { startService } = await import('./serve.ts');
    const begin = { command, lockWaitMs: 0 };
    if (script !== null) return startService(settings, { ...begin, script, isAlone: true });
    if (need === 'work') return startService(await loadSettings(given, defaults), begin);
    const { mcpServers, ...others } = file;
    const read = need === 'read' ? others : file;
    return startService({ ...settings, file: read }, { ...begin, model: NO_MODEL, isAlone: true });
  };
  const connection = await connect(url, config.dataDir, start);
  // A turn sent now should have all available tools.
  await connection.own()?.app.mcp.tried;
  const client = createClient(connection, config.apiKey);
  return { ...connection, client, timezone, isFound: url === null && connection.own() === null };
};

/** The fields of each turn that a command's options set. Dates without a zone are in `zone`. */
export const turnOptions = (
  { agent, timezone, confirmPlan, lookFirst, replan, expiresIn }: CliOptions,
  zone = timezone,
) => ({
  ...(agent !== undefined && { agent }),
  ...(zone !== undefined && { timezone: timezone ?? zone }),
  ...(confirmPlan && { confirm_plan: true }),
  ...(lookFirst && { confirm_plan: 'after_looking' as const }),
  ...(replan !== undefined && { replan }),
  ...(expiresIn !== undefined && { expires_in: Number(expiresIn) }),
});

export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens the service that the options name while some work runs. */
export const withService = async <Result>(
  options: CliOptions,
  command: string,
  need: Need,
  work: (service: Service) => Promise<Result>,
): Promise<Result> => {
  const service = await openService(options, command, need);
  try {
    return await work(service);
  } finally {
    await service.close();
  }
};
