import type { OwnerData } from '../../owner-data/port.ts';
import { answerQuestions } from './answer-questions.ts';
import { openStore } from './database.ts';

/** Time to wait for a service that is just stopping, in milliseconds. */
const LOCK_WAIT_MS = 1_000;

/**
 * Opens the owner data of a data folder that no service uses, and nothing of its sessions: what they left open stays as it is. Throws
 * `DATA_DIR_LOCKED`.
 */
export const openOwnerData = (dataDir: string): { ownerData: OwnerData; close(): void } => {
  const { db, close } = openStore({ dataDir, lockWaitMs: LOCK_WAIT_MS });
  const answer = answerQuestions(db);
  return { ownerData: { run: async (work) => db.transaction(() => answer(work())).immediate() }, close };
};
