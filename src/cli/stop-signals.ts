import type { Log } from '../lib/log.ts';
import { exitCode } from './exit-code.ts';

/** Longest time that a signalled service takes to stop, in milliseconds (SPEC 7): then it leaves the rest to recovery. */
const STOP_MS_MAX = 10_000;

/** The signals that stop the service, and the numbers that an exit by one has by custom: 128 and the signal. */
const STOP_SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const;

type StopSignal = keyof typeof STOP_SIGNALS;

/** Under npm each Ctrl-C comes twice, from the terminal and from npm, which passes it on: within this time, in milliseconds, it is the same one. */
const REPEATED_BY_NPM_MS = 500;

/** How often a service under npm looks whether its parent is still there, in milliseconds. */
const PARENT_CHECK_MS = 1_000;

/** True where `npm start`, `npm run` or `npx` started this process. */
const isUnderNpm = (env: NodeJS.ProcessEnv): boolean => env['npm_lifecycle_event'] !== undefined;

/**
 * Calls `stop` when the parent of this process has ended. npm signals the shell that it started alone, which passes nothing on, and npm
 * itself may be killed: the service would go on, with its port and its data folder taken.
 */
const onParentEnded = (stop: () => void): void => {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    stop();
  }, PARENT_CHECK_MS);
  timer.unref();
};

/**
 * Closes the service and ends the process at the first signal, or under npm when that has ended; at a second signal ends it at once. The exit
 * code says whether it stopped cleanly, or which signal cut it off.
 */
export const stopOnSignals = (app: { close(): Promise<void> }, log: Log): void => {
  let stoppingSince: number | null = null;
  const stop = async (reason: StopSignal | 'parent ended'): Promise<void> => {
    const now = performance.now();
    if (stoppingSince !== null) {
      const isRepeated = isUnderNpm(process.env) && now - stoppingSince < REPEATED_BY_NPM_MS;
      if (!isRepeated && reason !== 'parent ended') process.exit(STOP_SIGNALS[reason]);
      log.debug({ signal: reason }, 'stopping already');
      return;
    }
    stoppingSince = now;
    log.info({ signal: reason }, 'stopping; a second signal stops at once');
    setTimeout(() => process.exit(exitCode.failed), STOP_MS_MAX).unref();
    try {
      await app.close();
      process.exit(exitCode.answered);
    } catch (error) {
      log.error({ err: error }, 'the service could not stop cleanly');
      process.exit(exitCode.failed);
    }
  };
  for (const signal of Object.keys(STOP_SIGNALS) as StopSignal[]) process.on(signal, () => void stop(signal));
  if (isUnderNpm(process.env)) onParentEnded(() => void stop('parent ended'));
};
