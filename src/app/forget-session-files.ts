import type { Logger } from 'pino';
import type { SessionKey } from '../engine/session-key.ts';
import { onceAMinute } from '../lib/once-a-minute.ts';
import type { Mirror } from '../workspace/mirror.ts';
import { removeFolder } from '../workspace/remove-folder.ts';
import { createWorkspaceRemoval } from '../workspace/remove-workspace.ts';

/**
 * Makes what takes a removed session's folder away: at once from its place, so that a new session of that name finds none, and
 * then from the disk. A folder that can't be removed is logged, one a minute. Begins with those that a process which died left.
 */
export const createForgetSessionFiles = (
  dataDir: string,
  mirror: Pick<Mirror, 'forget'>,
  log: Logger,
): ((key: SessionKey) => void) => {
  const removal = createWorkspaceRemoval(dataDir);
  const isWorthALine = onceAMinute();
  removal
    .empty()
    .catch((error: unknown) => log.error({ err: error }, 'folders of removed sessions can not be removed'));
  return ({ owner, session_id }) => {
    const failed = (error: unknown): void => {
      if (isWorthALine()) log.error({ err: error, session_id }, 'the folder of a removed session can not be removed');
    };
    mirror.forget({ owner, session_id });
    try {
      const aside = removal.setAside(owner, session_id);
      if (aside !== null) removeFolder(aside).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
};
