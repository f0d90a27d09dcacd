import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { DATABASE_FILE, isDataDirHeld } from '../store/sqlite/open.ts';

/** True if a data folder contains a database. */
export const hasDatabase = (dataDir: string): boolean => existsSync(join(dataDir, DATABASE_FILE));

const ADDRESS_FILE = 'service.json';

const ServiceAddress = z.object({
  url: z.url({ protocol: /^https?$/ }),
  pid: z.number().int().positive(),
  /** The machine or container that it runs in. Elsewhere its address means nothing. */
  host: z.string(),
  /** A key for commands of anybody who can read the folder, valid while this process lives. */
  key: z.string(),
  /** The command that runs it: `serve`, or one that stops it at its own end. */
  command: z.string(),
});
export type ServiceAddress = z.infer<typeof ServiceAddress>;

/**
 * The service on a data folder: none; one on this machine; one elsewhere; or a process that publishes no address, such
 * as a service that starts or stops.
 */
export type FoundService = { kind: 'none' | 'held' } | { kind: 'here' | 'elsewhere'; address: ServiceAddress };

const readAddress = (dataDir: string): ServiceAddress | null => {
  try {
    return ServiceAddress.parse(JSON.parse(readFileSync(join(dataDir, ADDRESS_FILE), 'utf8')));
  } catch {
    return null;
  }
};

/**
 * Finds the service that runs on a data folder, without waiting. The lock decides: a killed process leaves its file
 * behind.
 */
export const findService = (dataDir: string): FoundService => {
  if (!isDataDirHeld(dataDir)) return { kind: 'none' };
  const address = readAddress(dataDir);
  if (address === null) return { kind: 'held' };
  return { kind: address.host === hostname() ? 'here' : 'elsewhere', address };
};

/**
 * Atomically writes where this process's service answers. Only the holder of the folder's lock may call it. Returns a
 * function that removes the file.
 */
export const publishAddress = (
  dataDir: string,
  { url, command, key }: Pick<ServiceAddress, 'url' | 'command' | 'key'>,
) => {
  const file = join(dataDir, ADDRESS_FILE);
  const written = `${file}.new`;
  const address: ServiceAddress = { url, pid: process.pid, host: hostname(), key, command };
  writeFileSync(written, `${JSON.stringify(address)}\n`, { mode: 0o600 });
  renameSync(written, file);
  return (): void => {
    try {
      rmSync(file, { force: true });
    } catch {
      // If the disk fails it stays, as after a crash.
    }
  };
};
