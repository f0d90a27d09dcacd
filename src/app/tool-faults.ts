import { AsyncLocalStorage } from 'node:async_hooks';
import type { Log } from '../lib/log.ts';

const running = new AsyncLocalStorage<string>();

/** Runs the work of a tool, a model or a verifier so that what comes of it, also long after its result, is known as its own. */
export const runAsTool = <Result>(name: string, work: () => Promise<Result>): Promise<Result> =>
  running.run(name, work);

/** A signal whose listeners run as the work of the tool, the model or the verifier that it is made for. */
export const signalOfTool = (signal: AbortSignal): AbortSignal => {
  const own = new AbortController();
  const name = running.getStore() ?? '';
  const abort = (): void => running.run(name, () => own.abort(signal.reason));
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return own.signal;
};

/** Logs what a tool, a model or a verifier throws after its call, where no code awaits it; any other error ends the process. Gives the function that takes this back. */
export const outliveToolFaults = (log: Log): (() => void) => {
  const outlive = (origin: string) => (error: unknown) => {
    const tool = running.getStore();
    if (tool !== undefined)
      return log.error({ err: error, tool, origin }, 'a tool failed after its call, where nobody waits for it');
    log.fatal({ err: error, origin }, 'the service failed');
    process.exit(1);
  };
  // Each by its own event: only there is the callback known that the fault came from.
  const listeners = ['uncaughtException', 'unhandledRejection'].map((name) => [name, outlive(name)] as const);
  for (const [name, listener] of listeners) process.on(name, listener);
  return () => {
    for (const [name, listener] of listeners) process.off(name, listener);
  };
};
