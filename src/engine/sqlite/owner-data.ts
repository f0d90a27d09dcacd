import type { Database } from 'better-sqlite3';
import { ServiceError } from '../../errors.ts';
import type { OwnerData } from '../../owner-data/port.ts';
import { answerQuestions } from './answer-questions.ts';
import { isStorageError } from './storage-errors.ts';

/** Opens the owners' data of an open store; a disk that can't be written rejects as `STORAGE_UNAVAILABLE`. */
export const createOwnerData = (db: Database): OwnerData => {
  const answer = answerQuestions(db);
  return {
    run: async (work) => {
      try {
        return db.transaction(() => answer(work()))();
      } catch (error) {
        if (!isStorageError(error)) throw error;
        throw new ServiceError(
          'STORAGE_UNAVAILABLE',
          'The disk is full or can not be written; nothing was stored. Try again',
          { cause: error },
        );
      }
    },
  };
};
