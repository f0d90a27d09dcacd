import type { Log } from '../log.ts';
import { currentTool } from '../tools/tool-scope.ts';

/**
 * Keeps the process alive when a tool, a model or a verifier leaves a promise rejected that no code awaits, or throws in a timer or a listener of its own:
 * that is logged with its name. Any other error is the service's own fault and ends the process. Gives the function that
 * takes this back.
 */
export const outliveToolFaults = (log: Log): (() => void) => {
  const outlive = (error: unknown, origin: NodeJS.UncaughtExceptionOrigin): void => {
    const tool = currentTool();
    if (tool !== null) {
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
