export interface Session {
  readonly owner: string;
  readonly session_id: string;
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
