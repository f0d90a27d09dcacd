import type { AttachedFile, SubmittedFile } from '../../contracts/file.ts';
import type { ReadText, TextPart } from './text-encoding.ts';

export interface Session {
  readonly owner: string;
  readonly session_id: string;
}

/** An effect of a task, by its number. */
export interface TaskEffect {
  readonly task_id: string;
  readonly effect: number;
}

/** Returns a session's folder, creating it at the first call. */
export type WorkspaceOf = (owner: string, sessionId: string) => string;

/**
 * Runs work on a session's files. If they are stored elsewhere, its changes are stored before it resolves; with a
 * signal, until that aborts.
 */
export type Within = <Result>(
  session: Session,
  signal: AbortSignal | null,
  work: (workspaceOf: WorkspaceOf) => Promise<Result>,
) => Promise<Result>;

/** A stored file of a session; times are epoch milliseconds. */
export interface StoredFile {
  readonly path: string;
  readonly size: number;
  readonly modified_at: number;
  readonly stored_at: number;
}

/** A file to store. */
export interface ChangedFile extends Omit<StoredFile, 'size'> {
  readonly bytes: Buffer;
}

/**
 * Where session files are stored, if the nodes have copies of them. They are removed with their session. Rejects with
 * `STORAGE_UNAVAILABLE`.
 */
export interface FileStore {
  list(session: Session): Promise<StoredFile[]>;
  /** The bytes of a file; null: no such file. */
  read(session: Session, path: string): Promise<Buffer | null>;
  /** Stores and removes files, all or none. Does nothing for a session that is being removed. */
  change(session: Session, changed: readonly ChangedFile[], removed: readonly string[]): Promise<void>;
}

/** A file of a turn that may be stored. */
export interface CheckedFile extends Omit<AttachedFile, 'path'> {
  /** Its name for people. */
  readonly name: string;
  /** Its bytes; those of a session's own file are read again when they are needed. */
  readonly from: Buffer | { readonly staged: string } | { readonly path: string };
}

/**
 * Keeps the files of turns in the sessions' folders, so that none is named by a stored turn before its bytes are
 * durable. `store` and `settle` of a session are called one after the other.
 */
export interface TurnFiles {
  /**
   * Takes files as they were sent: their types by their bytes, their hashes. Stores nothing. Rejects with
   * `INVALID_REQUEST`, `INPUT_TOO_LARGE` and `UNSUPPORTED_MEDIA_TYPE`.
   */
  check(session: Session, files: readonly SubmittedFile[]): Promise<CheckedFile[]>;
  /** Stores the files of a turn that is about to be stored. Rejects with `INPUT_TOO_LARGE` at the session's quota. */
  store(session: Session, turnId: string, files: readonly CheckedFile[]): Promise<AttachedFile[]>;
  /**
   * Copies those files of another session that are still there, to the same paths, for the turn that begins a fork of it.
   * It stores nothing over a file that is there.
   */
  copy(from: Session, to: Session, turnId: string, files: readonly AttachedFile[]): Promise<void>;
  /** The turn is stored; or it never will be, and what was stored for it alone is removed. */
  settle(session: Session, turnId: string, isStored: boolean): Promise<void>;
}

/** Files of a session as events name them. They are read where the session's folder is laid out. */
export interface StoredFiles {
  /** False: it is gone, or other bytes lie there now. */
  isThere(session: Session, file: AttachedFile): Promise<boolean>;
  /** Its bytes, to be read piece by piece; null: it is not there. */
  open(session: Session, file: AttachedFile): Promise<{ size: number; stream(): AsyncIterable<Buffer> } | null>;
  /**
   * A part of the text of a text file, a PDF or an Office file; null: it is not there, or nothing installed can read it.
   * Of a PDF or an Office file the first million characters can be read.
   */
  textOf(session: Session, file: AttachedFile, part: TextPart): Promise<ReadText | null>;
}
