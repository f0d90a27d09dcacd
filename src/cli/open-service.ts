import { ServiceError } from '../lib/errors.ts';
import type { Model } from '../models/port.ts';
import { hasDatabase } from '../store/open-storage.ts';
import { type Client, createClient } from './client.ts';
import { connectTo, connectToFolder } from './connection.ts';
import { CommandFailure, commandName, wrongUsage } from './failure.ts';
import { loadSettings } from './settings.ts';
import { hostTimezone, noteLine } from './terminal.ts';

/**
 * Which service a command talks to: the one at `url`, or the one that runs on a data folder, or one of its own there. Without both it is the
 * one at `TRIPACT_URL`, else that of the configured data folder.
 */
export interface ServiceOptions {
  url?: string;
  dataDir?: string;
}

/** What a command needs of a service that it starts. */
export interface Need {
  /** For others that find its address. */
  command: string;
  /**
   * `work`: tasks go on while it runs, on a model that works. `tools`: it calls tools only. `read`: it only reads, and never makes a
   * data folder. With `tools` and `read`, tasks stay as they are.
   */
  for: 'work' | 'tools' | 'read';
}

/** A service to talk to. `close` stops it where it is the command's own; a task that still runs resumes at the next start. */
export interface OpenedService {
  client: Client;
  /** Where it answers. */
  base(): string;
  /** The address of a service that another process runs on the data folder; null for one of its own, or at an address that was given. */
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

const checkedUrl = (url: string): string => {
  const { protocol, username, password } = URL.parse(url) ?? {};
  if (protocol !== 'http:' && protocol !== 'https:') throw wrongUsage(`--url ${url} is not an http or https address`);
  if (username !== '' || password !== '')
    throw wrongUsage('--url takes no user and no password: a key goes into TRIPACT_API_KEY');
  return url;
};

/** Stands in where no model is asked. */
const NO_MODEL: Model = {
  name: 'none',
  answer: () => Promise.reject(new Error('this service was started without a model')),
};

/**
 * Opens the service that the options name, for a command. It shows `TRIPACT_API_KEY`, else the first of `TRIPACT_API_KEYS`, else to the service of a
 * data folder the key that is written there: who may read the folder may read everything.
 */
export const openService = async (options: ServiceOptions, need: Need): Promise<OpenedService> => {
  const given = { TRIPACT_DATA_DIR: options.dataDir, TRIPACT_HOST: '127.0.0.1', TRIPACT_PORT: '0' };
  const defaults = { TRIPACT_LOG_LEVEL: 'error' };
  // Who only talks to a service needs no model that works.
  const lenient = await loadSettings(given, defaults).catch((error: unknown) => {
    if (!(error instanceof ServiceError)) throw error;
    return loadSettings({ ...given, TRIPACT_MODEL: 'offline' }, defaults);
  });
  const { config, file } = lenient;
  const timezone = config.timezone ?? hostTimezone();
  const url = options.url !== undefined ? checkedUrl(options.url) : options.dataDir === undefined ? config.url : null;
  if (url !== null) {
    const connection = connectTo(url);
    const client = createClient(connection, config.apiKey);
    const close = async (): Promise<void> => {};
    return { client, timezone, modelName: null, found: null, base: connection.base, isOwn: () => false, close };
  }
  const connection = await connectToFolder({
    dataDir: config.dataDir,
    start: async () => {
      const { command } = need;
      if (need.for === 'read' && !hasDatabase(config.dataDir))
        throw new CommandFailure(`There is no Tripact database in ${config.dataDir}`);
      const settings = need.for === 'work' ? await loadSettings(given, defaults) : lenient;
      const { startService } = await import('./start-service.ts');
      if (need.for === 'work') return startService(settings, { command, lockWaitMs: 0 });
      const { mcpServers: _, ...withoutServers } = file;
      const used = need.for === 'read' ? withoutServers : file;
      return startService({ ...settings, file: used }, { command, lockWaitMs: 0, standIn: NO_MODEL });
    },
    note: (text) => void process.stderr.write(`${noteLine(text, process.stderr)}\n`),
  });
  // What is sent now should have all the tools that there are.
  await connection.own()?.app.mcp.tried;
  return {
    client: createClient(connection, config.apiKey),
    base: connection.base,
    found: connection.own() === null ? connection.base() : null,
    isOwn: () => connection.own() !== null,
    modelName: connection.own()?.app.modelName ?? null,
    timezone,
    close: connection.close,
  };
};
