import type { Removal } from '../session-input.ts';
import type { SessionDraft } from './session-draft.ts';

/** Removes a session that has nothing open: no running task and no unfinished turn, and no task that waits unless that is wanted. */
export const removal = (draft: SessionDraft, { before, includeWaiting }: Removal): void => {
  const { isStored, used_at, active, open, turns } = draft.image;
  if (!isStored || used_at >= before || open !== null || turns.length > 0) return;
  if (!includeWaiting && (active !== null || draft.lastPaused() !== null)) return;
  draft.removeSession();
};
