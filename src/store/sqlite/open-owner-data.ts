import type { SessionKey } from '../../engine/session-key.ts';
import type { Asking, OwnerData } from '../questions.ts';
import { answerQuestions } from './answer-questions.ts';
import { openStore } from './database.ts';

/** Time to wait for a service that is just stopping, in milliseconds. */
const LOCK_WAIT_MS = 1_000;

/** The session that work is done in, as it is made where it is new. */
export interface WorkSession extends SessionKey {
  /** IANA time zone. */
  timezone: string;
  /** Epoch milliseconds. */
  now: number;
}

/** The owner data of a data folder that no service uses. */
export interface OpenOwnerData extends OwnerData {
  /** One transaction, which makes the session first where the work writes something of a session that there is not. */
  runIn<Result>(session: WorkSession, work: () => Asking<Result>): Promise<Result>;
  close(): void;
}

const isWithoutSession = (error: unknown): boolean =>
  (error as { code?: string }).code === 'SQLITE_CONSTRAINT_FOREIGNKEY';

/**
 * Opens the owner data of a data folder that no service uses, and nothing of its sessions: what they left open stays as it is. Throws
 * `DATA_DIR_LOCKED`.
 */
export const openOwnerData = (dataDir: string): OpenOwnerData => {
  const { db, close } = openStore({ dataDir, lockWaitMs: LOCK_WAIT_MS });
  const answer = answerQuestions(db);
  const addSession = db.prepare(
    `INSERT INTO sessions (owner, session_id, timezone, created_at, updated_at)
     VALUES (@owner, @session_id, @timezone, @now, @now)`,
  );
  return {
    run: async (work) => db.transaction(() => answer(work())).immediate(),
    runIn: async ({ owner, session_id, timezone, now }, work) => {
      const inSession = (isNew: boolean) => {
        if (isNew) addSession.run({ owner, session_id, timezone, now });
        return answer(work());
      };
      const transaction = db.transaction(inSession);
      try {
        return transaction.immediate(false);
      } catch (error) {
        if (!isWithoutSession(error)) throw error;
        return transaction.immediate(true);
      }
    },
    close,
  };
};
