import { setTimeout as pause } from 'node:timers/promises';
import { findService, type ServiceAddress } from '../app/service-address.ts';
import { ServiceError } from '../lib/errors.ts';
import { CommandFailure } from './command-failure.ts';
import { type Connection, RECONNECTS_MAX, type Tries, waitToRetry } from './connection.ts';
import type { ConnectionLost } from './connection-lost.ts';
import type { StartedService } from './start-service.ts';

/** How long a command waits for a process that holds the data folder and tells no address, in milliseconds: a stop takes up to 10 s. */
const HELD_MS_MAX = 12_000;

/** Pause before it looks again, in milliseconds: a service starts in a few hundred. */
const LOOK_MS = 40;

/** After this time a person wants to know what it waits for, in milliseconds. */
const NOTICE_MS = 400;

/** Tries to reach a service whose address was just found and that does not answer. */
const UNREACHED_MAX = 3;

/** The command whose service outlives the commands that talk to it. */
const SERVE = 'serve';

export interface FolderParts {
  dataDir: string;
  /** Starts a service in this process; rejects with `DATA_DIR_LOCKED` at once where another one holds the folder. */
  start(): Promise<StartedService>;
  /** Tells the person what a longer wait is for. */
  note(text: string): void;
}

/** A connection to whatever service a data folder has. */
export interface FolderConnection extends Connection {
  /** The service of this very process, where it is that one. */
  own(): StartedService | null;
  close(): Promise<void>;
}

type Attached = { own: StartedService } | { own: null; address: ServiceAddress };

const isLocked = (error: unknown): boolean => error instanceof ServiceError && error.code === 'DATA_DIR_LOCKED';

const attach = async ({ dataDir, start, note }: FolderParts, signal?: AbortSignal): Promise<Attached> => {
  let heldSince: number | null = null;
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
        if (!isLocked(error)) throw error;
      }
    }
    heldSince ??= performance.now();
    const waited = performance.now() - heldSince;
    if (waited > HELD_MS_MAX)
      throw new CommandFailure(
        `Another process uses ${dataDir} and takes nothing; stop it, or choose another folder with --data-dir`,
      );
    if (waited > NOTICE_MS && !isNoted) {
      isNoted = true;
      note('Waiting for the process that uses the data folder');
    }
    await pause(LOOK_MS, undefined, { ...(signal !== undefined && { signal }) });
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

  /** One search at a time, for whoever has lost the service. */
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

  const restore = async (lost: ConnectionLost, tries: Tries, signal?: AbortSignal): Promise<void> => {
    if (attached.own !== null || isClosed) throw lost;
    const before = base();
    if (tries.wasReached && attached.address.command === SERVE) {
      const found = findService(parts.dataDir);
      if (found.kind === 'here') attached = { own: null, address: found.address };
      if (base() === before) await waitToRetry(lost, tries, signal);
      return;
    }
    await attachAgain(signal);
    if (base() !== before) return;
    if (tries.inVain >= (tries.wasReached ? RECONNECTS_MAX : UNREACHED_MAX)) throw lost;
    await waitToRetry(lost, tries, signal);
  };

  return {
    base,
    key: () => (attached.own === null ? attached.address.key : attached.own.key),
    restore,
    own: () => attached.own,
    close: async () => {
      isClosed = true;
      await attaching?.catch(() => {});
      await attached.own?.app.close();
    },
  };
};
