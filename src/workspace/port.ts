export interface Session {
  readonly owner: string;
  readonly session_id: string;
}

/** Gives a session's folder, made when it is first asked for. */
export type WorkspaceOf = (owner: string, sessionId: string) => string;

/** Does work with a session's files. What it changed is stored, where they are stored elsewhere, before it resolves; with a signal until it aborts. */
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

/** A file to be stored. */
export interface ChangedFile extends Omit<StoredFile, 'size'> {
  readonly bytes: Buffer;
}

/** Where the files of sessions are stored, of which the nodes have copies. They go with their session. Rejects with `STORAGE_UNAVAILABLE`. */
export interface FileStore {
  list(session: Session): Promise<StoredFile[]>;
  /** The bytes of a file; null where there is none. */
  read(session: Session, path: string): Promise<Buffer | null>;
  /** Stores and removes files, all or none; nothing of a session that is being removed. */
  change(session: Session, changed: readonly ChangedFile[], removed: readonly string[]): Promise<void>;
}
