import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<string>();

/** Runs the work of a tool so that all that comes of it, also long after it gave its result, is known as the tool's. */
export const runAsTool = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  running.run(name, work);

/** The name of the tool whose work the current callback belongs to; null for the service's own work. */
export const currentTool = (): string | null => running.getStore() ?? null;
