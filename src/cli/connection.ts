import { setTimeout as pause } from 'node:timers/promises';
import { findService, hasDatabase, type ServiceAddress } from '../app/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';
import type { Model } from '../models/port.ts';
import { createClient } from './client.ts';
import { CommandFailure, type ConnectionLost, commandName, wrongUsage } from './failure.ts';
import type { StartedService } from './serve.ts';
import { type CliOptions, loadSettings, warnOfUnknown } from './settings.ts';
import { hostTimezone, noteTo } from './terminal.ts';

/** Times that a service which was reached before is asked again, and the pause before each, in milliseconds: a restart fits in. */
const RECONNECTS_MAX = 30;
const RECONNECT_MS = 500;

/** Longest wait for a process that holds the data folder and tells no address, in milliseconds: a stop takes up to 10 s. */
const HELD_MS_MAX = 12_000;

/** Pause before it looks again, in milliseconds: a service starts in a few hundred. */
const LOOK_MS = 40;

/** After this time a person is told about the wait, in milliseconds. */
const NOTICE_MS = 400;

/** A service: of this process, or of another one; at an address that was named, the key is not known. */
type Attached = Pick<ServiceAddress, 'url' | 'command'> & { key: string | null; own: StartedService | null };

/** Finds the service on a data folder, or starts one where none runs; `start` rejects with `DATA_DIR_LOCKED` at once where another process is quicker. */
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
        `Another process uses ${dataDir} and takes nothing; stop it, or choose another folder with --data-dir`,
      );
    if (waited > NOTICE_MS && !isNoted) {
      isNoted = true;
      noteTo(process.stderr)('Waiting for the process that uses the data folder');
    }
    await pause(LOOK_MS, undefined, { signal });
  }
};

/** Connects to the service at `url`, else to the one on a data folder, or starts one there. Waits for a restart of `tripact serve`; replaces a command's service that ended. */
const connect = async (url: string | null, dataDir: string, start: () => Promise<StartedService>) => {
  let attached: Attached =
    url === null ? await attach(dataDir, start) : { url, key: null, command: 'serve', own: null };
  let attaching: Promise<void> | null = null;
  let isClosed = false;

  /** Looks for the service that runs now, and starts one where none does; one search at a time. */
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
      if (attached.own !== null || isClosed || inVain >= RECONNECTS_MAX || (url !== null && !wasReached)) throw lost;
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

/** The command line that continues a session, on the same service. */
export const sessionCommand = (command: string, sessionId: string, { url, dataDir }: CliOptions): string => {
  const service = [
    ...(url === undefined ? [] : ['--url', url]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  return [commandName(), command, ...service, '--session', sessionId].join(' ');
};

const checkedUrl = (url: string): string => {
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') throw wrongUsage(`--url ${url} is not an http or https address`);
  if (username !== '' || password !== '')
    throw wrongUsage('--url takes no user and no password: a key goes into TRIPACT_API_KEY');
  return url.replace(/(?<!\/)\/+$/, '');
};

const NO_MODEL: Model = {
  name: 'none',
  answer: () => Promise.reject(new Error('this service was started without a model')),
};

/** A command's need of a service that it starts: tasks go on, on a model that works; tools are called; or it only reads, and never makes a data folder. */
type Need = 'work' | 'tools' | 'read';

/** Opens a command's service: the one at `url`, else on the data folder, else its own, which `close` stops. Shows the chosen key, else the folder's. */
const openService = async (options: CliOptions, command: string, need: Need) => {
  const given = { TRIPACT_DATA_DIR: options.dataDir, TRIPACT_HOST: '127.0.0.1', TRIPACT_PORT: '0' };
  const defaults = { TRIPACT_LOG_LEVEL: 'error' };
  // Who only talks to a service needs no model that works.
  const settings = await loadSettings(given, defaults).catch(() =>
    loadSettings({ ...given, TRIPACT_MODEL: 'offline' }, defaults),
  );
  const { config, file } = settings;
  warnOfUnknown(settings.env);
  const timezone = config.timezone ?? hostTimezone();
  const named = options.url ?? (options.dataDir === undefined ? config.url : null);
  const url = named === null ? null : checkedUrl(named);
  const start = async (): Promise<StartedService> => {
    if (need === 'read' && config.databaseUrl === null && !hasDatabase(config.dataDir))
      throw new CommandFailure(`There is no Tripact database in ${config.dataDir}`);
    const { startService } = await import('./serve.ts');
    const begin = { command, lockWaitMs: 0 };
    if (need === 'work') return startService(await loadSettings(given, defaults), begin);
    const { mcpServers, ...others } = file;
    return startService({ ...settings, file: need === 'read' ? others : file }, { ...begin, standIn: NO_MODEL });
  };
  const connection = await connect(url, config.dataDir, start);
  // A turn that is sent now should have all the tools that there are.
  await connection.own()?.app.mcp.tried;
  const client = createClient(connection, config.apiKey);
  return { ...connection, client, timezone, isFound: url === null && connection.own() === null };
};

/** The fields of each turn that a command's options set; dates are in `zone` where they name none. */
export const turnOptions = ({ timezone, confirmPlan, replan, expiresIn }: CliOptions, zone = timezone) => ({
  ...(zone !== undefined && { timezone: timezone ?? zone }),
  ...(confirmPlan && { confirm_plan: true }),
  ...(replan !== undefined && { replan }),
  ...(expiresIn !== undefined && { expires_in: Number(expiresIn) }),
});

export type Service = Awaited<ReturnType<typeof openService>>;

/** Opens the service that the options name for as long as some work takes. */
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
