import { AsyncLocalStorage } from 'node:async_hooks';

const running = new AsyncLocalStorage<string>();

/** Runs the work of a tool so that all that comes of it, also long after it gave its result, is known as the tool's. */
export const runAsTool = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  running.run(name, work);

/** The same for work that a signal may end: it gets a signal of its own, for a listener that throws is then known as the tool's, too. */
export const runAsToolUntil = <Result>(
  name: string,
  signal: AbortSignal,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> =>
  runAsTool(name, async () => {
    const own = new AbortController();
    const abort = AsyncLocalStorage.bind(() => own.abort(signal.reason));
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    try {
      return await work(own.signal);
    } finally {
      signal.removeEventListener('abort', abort);
    }
  });

/** The name of the tool whose work the current callback belongs to; null for the service's own work. */
export const currentTool = (): string | null => running.getStore() ?? null;
