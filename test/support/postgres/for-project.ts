import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server that this project's tests store in; absent: they use SQLite. */
    postgres?: string;
  }
}

/**
 * Starts the server of all files of the project, and stops it after them. It never crashes, so it need not sync. On a
 * busy machine it may take many seconds to accept a connection.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres({ fsync: 'off' });
  const address = new URL(server.address);
  address.searchParams.set('connect_timeout', '120');
  project.provide('postgres', address.href);
  return server.stop;
};
