import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server that this project's tests store in; absent: they use SQLite. */
    postgres?: string;
  }
}

/** Starts the server of all files of the project, and stops it after them. It never crashes, so it need not sync. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres({ fsync: 'off' });
  project.provide('postgres', server.address);
  return server.stop;
};
