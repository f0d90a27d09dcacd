import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server that the tests of this project store on; absent: they use SQLite. */
    postgres?: string;
  }
}

/** Starts the server of all files of the project, and ends it with them. It never crashes, and so needs not write through. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres({ fsync: 'off' });
  project.provide('postgres', server.address);
  return server.stop;
};
