import { ServiceError } from '../lib/errors.ts';
import { type Client, createClient } from './client.ts';
import { CommandFailure } from './command-failure.ts';
import { commandName } from './command-name.ts';
import { connectTo, withoutSlash } from './connection.ts';
import { exitCode } from './exit-code.ts';
import { connectToFolder } from './folder-connection.ts';
import { type CliSettings, loadSettings } from './settings.ts';
import { hostTimezone, noteLine } from './terminal.ts';

/**
 * Which service a command talks to: the one at `url`, or the one that runs on a data folder, or one of its own there. Without both it is the
 * one at `TRIPACT_URL`, else that of the configured data folder.
 */
export interface ServiceOptions {
  url?: string;
  dataDir?: string;
}

/** A service to talk to. `close` stops it where it is the command's own; a task that still runs resumes at the next start. */
export interface OpenedService {
  client: Client;
  /** Where it answers. */
  base(): string;
  /** Where the one answers that another process runs on the data folder; null for one of its own, or at an address that was given. */
  found: string | null;
  /** It runs in this process, and ends with it. */
  isOwn(): boolean;
  /** The model of a service of its own; null where another process knows. */
  modelName: string | null;
  /** The zone of dates that the user of this terminal gives without one. */
  timezone: string;
  close(): Promise<void>;
}

/** The options that name the same service again. */
export const serviceWords = ({ url, dataDir }: ServiceOptions): string[] => [
  ...(url === undefined ? [] : ['--url', url]),
  ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
];

/** The command line that continues a session, on the same service. */
export const sessionCommand = (command: string, sessionId: string, options: ServiceOptions): string =>
  [commandName(), command, ...serviceWords(options), '--session', sessionId].join(' ');

/** Checks the address of a service. */
const checkedUrl = (url: string): string => {
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new CommandFailure(`--url ${url} is not an http or https address`, exitCode.usage);
  if (username !== '' || password !== '')
    throw new CommandFailure('--url takes no user and no password: a key goes into TRIPACT_API_KEY', exitCode.usage);
  return url;
};

/** The configuration, also where its model can not work: who only talks to a service needs none. */
export const loadClientSettings = async (dataDir?: string): Promise<CliSettings> => {
  const options = { TRIPACT_DATA_DIR: dataDir, TRIPACT_HOST: '127.0.0.1' };
  const defaults = { TRIPACT_LOG_LEVEL: 'error' };
  try {
    return await loadSettings(options, defaults);
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return loadSettings({ ...options, TRIPACT_MODEL: 'offline' }, defaults);
  }
};

/** The address that a command is to talk to; null: its data folder decides. */
export const chosenUrl = ({ url, dataDir }: ServiceOptions, { config }: Pick<CliSettings, 'config'>): string | null => {
  if (url !== undefined) return checkedUrl(url);
  return dataDir === undefined ? config.url : null;
};

/**
 * Opens the service that the options name, for a command. It shows `TRIPACT_API_KEY`, else the first of `TRIPACT_API_KEYS`, else to the service of a
 * data folder the key that is written there: who may read the folder may read everything.
 */
export const openService = async (options: ServiceOptions, command: string): Promise<OpenedService> => {
  const { dataDir } = options;
  const settings = await loadClientSettings(dataDir);
  const { config } = settings;
  const timezone = config.timezone ?? hostTimezone();
  const url = chosenUrl(options, settings);
  if (url !== null) {
    const connection = connectTo(url);
    const client = createClient(connection, config.apiKey);
    return {
      ...{ client, timezone, modelName: null, found: null, base: connection.base },
      isOwn: () => false,
      close: async () => {},
    };
  }
  const connection = await connectToFolder({
    dataDir: config.dataDir,
    start: async () => {
      const strict = await loadSettings(
        { TRIPACT_DATA_DIR: dataDir, TRIPACT_HOST: '127.0.0.1', TRIPACT_PORT: '0' },
        { TRIPACT_LOG_LEVEL: 'error' },
      );
      const { startService } = await import('./start-service.ts');
      const started = await startService(strict, { command, lockWaitMs: 0 });
      // The task that is sent now should have all the tools that there are.
      await started.app.mcp.tried;
      return started;
    },
    note: (text) => void process.stderr.write(`${noteLine(text, process.stderr)}\n`),
  });
  return {
    client: createClient(connection, config.apiKey),
    base: () => withoutSlash(connection.base()),
    found: connection.own() === null ? connection.base() : null,
    isOwn: () => connection.own() !== null,
    modelName: connection.own()?.app.modelName ?? null,
    timezone,
    close: connection.close,
  };
};
