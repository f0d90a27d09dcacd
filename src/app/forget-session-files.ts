import type { Logger } from 'pino';
import { onceAMinute } from '../lib/once-a-minute.ts';
import type { SessionKey } from '../session/image.ts';
import { createWorkspaceRemoval } from '../workspace/folder.ts';
import type { Mirror } from '../workspace/mirror.ts';

/**
 * Moves a removed session's folder away at once and deletes it later, along with those left by a process that died.
 * Logs failures, at most one a minute.
 */
export const createForgetSessionFiles = (
  dataDir: string,
  mirror: Pick<Mirror, 'forget'>,
  log: Logger,
): ((key: SessionKey) => void) => {
  const removal = createWorkspaceRemoval(dataDir);
  const isWorthALine = onceAMinute();
  const failed = (error: unknown): void => {
    if (isWorthALine()) log.error({ err: error }, 'the folder of a removed session cannot be removed');
  };
  removal.empty().catch(failed);
  return (key) => {
    mirror.forget(key);
    removal.remove(key).catch(failed);
  };
};
