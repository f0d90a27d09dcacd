import { ServiceError } from '../errors.ts';
import { type Client, createClient } from './client.ts';
import { CommandFailure } from './command-failure.ts';
import { exitCode } from './exit-code.ts';
import { loadSettings } from './settings.ts';
import { hostTimezone } from './terminal.ts';

/** Which service a command talks to: the one at `url`, or one of its own on a data folder. */
export interface ServiceOptions {
  url?: string;
  dataDir?: string;
}

/** A service to talk to. `close` stops it where it is the command's own; a task that still runs resumes at the next start. */
export interface OpenedService {
  client: Client;
  /** The model of a service of its own; null where another process knows. */
  modelName: string | null;
  /** The zone of dates that the user of this terminal gives without one. */
  timezone: string;
  close(): Promise<void>;
}

/** The command line that continues a session, on the same service. */
export const sessionCommand = (command: string, sessionId: string, { url, dataDir }: ServiceOptions): string => {
  const where = [
    ...(url === undefined ? [] : ['--url', url]),
    ...(dataDir === undefined ? [] : ['--data-dir', dataDir]),
  ];
  return ['tripact', command, ...where, '--session', sessionId].join(' ');
};

/** Checks the address of a service. */
export const checkedUrl = (url: string): string => {
  const { protocol } = URL.parse(url) ?? {};
  if (protocol === 'http:' || protocol === 'https:') return url;
  throw new CommandFailure(`--url ${url} is not an http or https address`, exitCode.usage);
};

/** An error with what to do instead where a service runs on the data folder; any other error as it is. */
export const withUrlHint = (error: unknown, wish: string, port: number): unknown => {
  if (!(error instanceof ServiceError) || error.code !== 'DATA_DIR_LOCKED') return error;
  const hint = `To ${wish}, add its address: --url http://127.0.0.1:${port || '<port>'}`;
  return new CommandFailure(`${error.message}.\n${hint}`, exitCode.failed, { cause: error });
};

/** Opens the service that the options name. The first of `TRIPACT_API_KEYS`, where there are any, is the key it shows. */
export const openService = async ({ url, dataDir }: ServiceOptions): Promise<OpenedService> => {
  const address = url === undefined ? null : checkedUrl(url);
  const settings = await loadSettings(
    { TRIPACT_DATA_DIR: dataDir, ...(address === null && { TRIPACT_HOST: '127.0.0.1' }) },
    { TRIPACT_LOG_LEVEL: 'error' },
  );
  const { config } = settings;
  const key = config.apiKeys[0]?.key ?? null;
  const timezone = config.timezone ?? hostTimezone();
  if (address !== null) return { client: createClient(address, key), modelName: null, timezone, close: async () => {} };
  const { startService } = await import('./start-service.ts');
  try {
    const { app, url: own } = await startService({ ...settings, config: { ...config, port: 0 } });
    // The task that is sent now should have all the tools that there are.
    await app.mcp.tried;
    return { client: createClient(own, key), modelName: app.modelName, timezone, close: () => app.close() };
  } catch (error) {
    throw withUrlHint(error, 'talk to the service that runs there', config.port);
  }
};
