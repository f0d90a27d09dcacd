import { setTimeout as pause } from 'node:timers/promises';
import { findService, type ServiceAddress } from '../app/data-folder.ts';
import { ServiceError } from '../lib/errors.ts';
import { CommandFailure, type ConnectionLost } from './failure.ts';
import type { StartedService } from './start-service.ts';

/** Times that a service which was reached before is asked again, and the pause before each, in milliseconds: a restart fits in. */
const RECONNECTS_MAX = 30;
const RECONNECT_MS = 500;

/** Tries to reach a service whose address was just found and that does not answer. */
const UNREACHED_MAX = 3;

/** Longest wait for a process that holds the data folder and tells no address, in milliseconds: a stop takes up to 10 s. */
const HELD_MS_MAX = 12_000;

/** Pause before it looks again, in milliseconds: a service starts in a few hundred. */
const LOOK_MS = 40;

/** After this time a person is told about the wait, in milliseconds. */
const NOTICE_MS = 400;

/** The command whose service outlives the commands that talk to it. */
const SERVE = 'serve';

/** The tries of one request so far. */
export interface Tries {
  /** The service has begun to answer it. */
  wasReached: boolean;
  /** Times that it was asked in vain since. */
  inVain: number;
}

/** Where the service is that a command talks to, which may change while it does. */
export interface Connection {
  /** Its address, without a slash at the end. */
  base(): string;
  /** A key that it gave to this command; null where it gave none. */
  key(): string | null;
  /** Resolves when it is worth asking again after `lost`; rejects, with `lost` or what stands in the way, when it is not. */
  restore(lost: ConnectionLost, tries: Tries, signal?: AbortSignal): Promise<void>;
}

const waitBetween = (ms: number, signal: AbortSignal | undefined): Promise<void> =>
  pause(ms, undefined, { ...(signal !== undefined && { signal }) });

/** The service at an address: once it has answered, a restart of it is waited for. */
export const connectTo = (url: string): Connection => ({
  base: () => url.replace(/(?<!\/)\/+$/, ''),
  key: () => null,
  restore: async (lost, { wasReached, inVain }, signal) => {
    if (!wasReached || inVain >= RECONNECTS_MAX) throw lost;
    await waitBetween(RECONNECT_MS, signal);
  },
});

export interface FolderParts {
  dataDir: string;
  /** Starts a service in this process; rejects with `DATA_DIR_LOCKED` at once where another one holds the folder. */
  start(): Promise<StartedService>;
  /** Tells the person about a longer wait. */
  note(text: string): void;
}

/** A connection to whatever service a data folder has. */
export interface FolderConnection extends Connection {
  /** The service of this very process, where it is that one. */
  own(): StartedService | null;
  close(): Promise<void>;
}

type Attached = { own: StartedService } | { own: null; address: ServiceAddress };

const attach = async ({ dataDir, start, note }: FolderParts, signal?: AbortSignal): Promise<Attached> => {
  const since = performance.now();
  for (let isNoted = false; ; ) {
    const found = findService(dataDir);
    if (found.kind === 'here') return { own: null, address: found.address };
    if (found.kind === 'elsewhere')
      throw new CommandFailure(
        `A service in another container or on another machine (${found.address.host}) uses ${dataDir}; add its address: --url http://…`,
      );
    if (found.kind === 'none') {
      try {
        return { own: await start() };
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
      note('Waiting for the process that uses the data folder');
    }
    await waitBetween(LOOK_MS, signal);
  }
};

/**
 * Connects to the service that runs on a data folder, or starts one in this process. A command's service ends with that command: whoever
 * talked to it finds the next one, or becomes it, and the turn goes on there. A restart of `tripact serve` is waited for.
 */
export const connectToFolder = async (parts: FolderParts): Promise<FolderConnection> => {
  let attached = await attach(parts);
  let attaching: Promise<void> | null = null;
  let isClosed = false;

  const base = (): string => (attached.own === null ? attached.address.url : attached.own.url);

  /** Looks for the service that runs now, and starts one where none does; one search at a time. */
  const attachAgain = (signal?: AbortSignal): Promise<void> => {
    attaching ??= attach(parts, signal)
      .then((next) => {
        attached = next;
      })
      .finally(() => {
        attaching = null;
      });
    return attaching;
  };

  return {
    base,
    key: () => (attached.own === null ? attached.address.key : attached.own.key),
    restore: async (lost, { wasReached, inVain }, signal) => {
      if (attached.own !== null || isClosed) throw lost;
      if (inVain >= (wasReached ? RECONNECTS_MAX : UNREACHED_MAX)) throw lost;
      const before = base();
      if (!wasReached || attached.address.command !== SERVE) await attachAgain(signal);
      else {
        const found = findService(parts.dataDir);
        if (found.kind === 'here') attached = { own: null, address: found.address };
      }
      if (base() === before) await waitBetween(RECONNECT_MS, signal);
    },
    own: () => attached.own,
    close: async () => {
      isClosed = true;
      await attaching?.catch(() => {});
      await attached.own?.app.close();
    },
  };
};
