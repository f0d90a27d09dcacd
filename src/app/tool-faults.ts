import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../lib/log.ts';

const running = new AsyncLocalStorage<string>();

/** Runs the work of a tool, model or verifier so that its errors are attributed to it, even long after its result. */
export const runAsTool = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  running.run(name, work);

/** A signal whose listeners run as work of the tool, model or verifier that it was made for. */
export const signalOfTool = (signal: AbortSignal): AbortSignal => {
  const own = new AbortController();
  const name = running.getStore() ?? '';
  const abort = (): void => running.run(name, () => own.abort(signal.reason));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return own.signal;
};

/**
 * Logs what a tool, model or verifier throws after its call, where no code awaits it. Any other error ends the process.
 * Returns a function that undoes this.
 */
export const outliveToolFaults = (log: Log): (() => void) => {
  const outlive = (origin: string) => (error: unknown) => {
    const tool = running.getStore();
    if (tool !== undefined)
      return log.error({ err: error, tool, origin }, 'a tool failed after its call, where nobody waits for it');
    log.fatal({ err: error, origin }, 'the service failed');
    process.exit(1);
  };
  // Each has its own event: only there is the callback that caused the error known.
  const listeners = ['uncaughtException', 'unhandledRejection'].map((name) => [name, outlive(name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
};
