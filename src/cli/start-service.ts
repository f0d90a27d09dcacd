import { randomUUID } from 'node:crypto';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import manifest from 'tripact/package.json' with { type: 'json' };
import { type App, buildApp } from '../app/app.ts';
import { withFileSettings } from '../app/config/config-file.ts';
import { publishAddress } from '../app/data-folder.ts';
import { secretsOf } from '../app/redaction.ts';
import { outliveToolFaults } from '../app/tool-faults.ts';
import { createLog, type Log } from '../lib/log.ts';
import type { Model } from '../models/port.ts';
import { CommandFailure } from './failure.ts';
import type { CliSettings } from './settings.ts';

/** Connections that the operating system keeps until they are taken; it may allow fewer. */
const BACKLOG = 4_096;

/** The service in this process, listening. */
export interface StartedService {
  app: App;
  /** Where it answers, such as `http://127.0.0.1:8787`: the port is the one that was really taken. */
  url: string;
  /** Its key for the commands of whoever may read the data folder. */
  key: string;
  log: Log;
}

/** The host that a browser or curl can connect to where a service listens on every address. */
const reachable = (host: string): string => {
  if (host === '0.0.0.0') return '127.0.0.1';
  if (host === '::') return '[::1]';
  return host.includes(':') ? `[${host}]` : host;
};

const whyNotListening = (error: unknown, host: string, port: number): unknown => {
  const { code } = error as { code?: unknown };
  if (code === 'EADDRINUSE')
    return new CommandFailure(`Port ${port} of ${host} is taken: choose another with --port, or 0 for any free one`);
  if (code === 'EACCES') return new CommandFailure(`Port ${port} may not be taken by this user: choose one above 1023`);
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return new CommandFailure(`${host} is not an address of this machine: check --host or TRIPACT_HOST`);
  return error;
};

/** How a service is started. */
export interface StartOptions {
  /** The command that it runs in, for others that find its address. */
  command: string;
  /** How long to wait for another process's lock on the data folder, in milliseconds; the process does nothing else meanwhile. */
  lockWaitMs?: number;
  /** Answers in the place of the configured model; then tasks stay as they are, and others do not find the service. */
  standIn?: Model;
}

/** Tells commands in a terminal where the service is. A disk that can't be written is no reason not to serve. */
const publish = (dataDir: string, address: { url: string; command: string; key: string }, log: Log): (() => void) => {
  try {
    return publishAddress(dataDir, address);
  } catch (error) {
    log.warn({ err: error }, 'the address could not be written: commands find this service by --url alone');
    return () => {};
  }
};

/**
 * Builds the service, listens, and writes its address into the data folder for as long as it takes turns in. Throws `DATA_DIR_LOCKED`,
 * `STORE_TOO_NEW`, or why the address can't be taken.
 */
export const startService = async (
  { config, file, filePath }: Pick<CliSettings, 'config' | 'file' | 'filePath'>,
  { command, lockWaitMs, standIn }: StartOptions,
): Promise<StartedService> => {
  const { port } = config;
  // Fastify listens on each address of that name by a server of its own, and bounds what comes to the first one alone.
  const host = config.host === 'localhost' ? '127.0.0.1' : config.host;
  const ownKey = randomUUID();
  const secrets = [...secretsOf(config, withFileSettings(process.env, file)), ownKey];
  const log = createLog({ level: config.logLevel, secrets });
  const built = await buildApp({
    env: process.env,
    ...{ config, file, log, secrets, ownKey, version: manifest.version },
    ...(lockWaitMs !== undefined && { lockWaitMs }),
    ...(standIn !== undefined && { model: standIn, resumes: false }),
  });
  const { tools, mcp, modelName } = built;
  log.info(
    {
      config_file: filePath,
      model: modelName,
      tools: tools.list().map(({ name }) => name),
      executors: tools.executors.map(({ name }) => name),
      mcp_servers: mcp.servers().map(({ name }) => name),
    },
    'configured; tools of MCP servers follow when these are connected',
  );
  const stopOutliving = outliveToolFaults(log);
  // Now, for a service may never come to a clean end, and later it would hold up requests: after an installation it takes 150 to 600 ms.
  flushCompileCache();
  let unpublish = (): void => {};
  const app: App = {
    ...built,
    close: async () => {
      unpublish();
      await built.close();
      stopOutliving();
    },
  };
  try {
    await app.http.listen({ host, port, backlog: BACKLOG });
  } catch (error) {
    await app.close();
    throw whyNotListening(error, host, port);
  }
  const { port: taken } = app.http.server.address() as AddressInfo;
  const url = `http://${reachable(host)}:${taken}`;
  if (standIn === undefined) unpublish = publish(config.dataDir, { url, command, key: ownKey }, log);
  return { app, url, log, key: ownKey };
};
