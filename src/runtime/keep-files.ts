import type { AttachedFile } from '../../contracts/file.ts';
import { ServiceError } from '../lib/errors.ts';
import type { SessionKey, SubmittedTurn } from '../session/image.ts';
import type { CheckedFile } from '../workspace/port.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Submitted } from './port.ts';
import type { RunningSessions } from './running-sessions.ts';

/** A turn whose files were looked at; none of them is stored yet. */
export type CheckedTurn = Omit<SubmittedTurn, 'files'> & { files?: readonly CheckedFile[] | undefined };

/** The input of a turn that has files and no words. Never a phrase that a task understands, such as "yes". */
const wordsFor = (files: readonly CheckedFile[]): string =>
  `${files.length === 1 ? 'File' : 'Files'}: ${files.map(({ name }) => name).join(', ')}`;

/** Stores the files of turns before the turns that name them, and removes those of turns that were refused (SPEC 10). */
export const createFileKeeping = (
  { turnFiles, log }: Pick<EngineParts, 'turnFiles' | 'log'>,
  { post, shown }: Pick<RunningSessions, 'post' | 'shown'>,
) => {
  const parts = () => {
    if (turnFiles !== undefined) return turnFiles;
    throw new ServiceError('UNSUPPORTED_MEDIA_TYPE', 'This service takes no files');
  };

  /** True for a turn that is stored, although its commit failed: its answer may have been lost. */
  const isStored = async ({ owner }: SessionKey, turnId: string): Promise<boolean> =>
    (await shown.turn(owner, 'id', turnId)) !== null;

  /** Keeps or removes what was stored for a turn; `wasStored` null: the store is asked. Never rejects. */
  const settle = async (session: SessionKey, turnId: string, wasStored: boolean | null): Promise<void> => {
    try {
      await turnFiles?.settle(session, turnId, wasStored ?? (await isStored(session, turnId)));
    } catch (err) {
      // They are settled when the next turn of the session has files.
      log.error({ err, session_id: session.session_id }, 'the files of a turn are not settled');
    }
  };

  return {
    settle,
    /** Copies the files of a history to the session of its fork, before that is stored. */
    copy: async (from: SessionKey, to: SessionKey, turnId: string, files: readonly AttachedFile[]): Promise<void> => {
      if (files.length > 0) await turnFiles?.copy(from, to, turnId, files);
    },
    /** A turn with its files looked at. Rejects for files that are not taken. */
    check: async ({ files, ...turn }: SubmittedTurn): Promise<CheckedTurn> => {
      if (files === undefined) return turn;
      const checked = await parts().check(turn, files);
      return { ...turn, input: turn.input.trim() === '' ? wordsFor(checked) : turn.input, files: checked };
    },
    /**
     * Stores a turn's files, then the turn. To be called for one turn of a session after the other. If the turn is not
     * stored, its files are not either.
     */
    storeBefore: async (
      { owner, session_id }: SessionKey,
      turnId: string,
      files: readonly CheckedFile[],
      store: (files: AttachedFile[]) => Promise<Submitted>,
    ): Promise<Submitted> => {
      const session = { owner, session_id };
      // Where files are stored in a database they belong to a session that is there.
      await post(session, { type: 'session_opened' });
      let wasStored: boolean | null = null;
      try {
        const submitted = await store(await parts().store(session, turnId, files));
        wasStored = submitted.turn.id === turnId;
        return submitted;
      } finally {
        await settle(session, turnId, wasStored);
      }
    },
  };
};
