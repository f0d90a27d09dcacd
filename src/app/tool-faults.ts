import type { Log } from '../lib/log.ts';
import { someAMinute } from '../lib/once-a-minute.ts';
import { currentTool } from '../tools/tool-scope.ts';

/** Such faults that are logged in a minute: a tool may leave thousands in the same moment. */
const LINES_A_MINUTE = 10;

/**
 * Keeps the process alive when a tool, a model or a verifier leaves a promise rejected that no code awaits, or throws in a timer or a listener of its own:
 * that is logged with its name. Any other error is the service's own fault and ends the process. Gives the function that
 * takes this back.
 */
export const outliveToolFaults = (log: Log): (() => void) => {
  const isWorthALine = someAMinute(LINES_A_MINUTE);
  const outlive = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    const tool = currentTool();
    if (tool !== null) {
      if (isWorthALine())
        log.error({ err: error, tool, origin }, 'a tool failed after its call, where nobody waits for it');
      return;
    }
    log.fatal({ err: error, origin }, 'the service failed');
    process.exit(1);
  };
  // Each by its own event: only there is the callback known that the fault came from.
  const outliveRejection = (error: unknown): void => outlive(error, 'unhandledRejection');
  process.on('uncaughtException', outlive);
  process.on('unhandledRejection', outliveRejection);
  return () => {
    process.off('uncaughtException', outlive);
    process.off('unhandledRejection', outliveRejection);
  };
};
