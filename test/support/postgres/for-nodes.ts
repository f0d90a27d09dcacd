import type { TestProject } from 'vitest/node';
import { startPostgres } from './server.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    /** The address of the server on which tests with several nodes create their databases. */
    server: string;
  }
}

/** Starts the server of all files of the project, and stops it after them. */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const server = await startPostgres({ max_connections: '600' });
  project.provide('server', server.address);
  return server.stop;
};
