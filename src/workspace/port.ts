import type { Readable } from 'node:stream';

/** A file of a session. */
export interface ListedFile {
  /** Its path in the session's folder. */
  path: string;
  /** In bytes. */
  size: number;
  /** Epoch milliseconds. */
  modified_at: number;
}

/** A file of a session. */
export interface ReadableFile {
  /** True where it begins as text does, in UTF-8. */
  isText: boolean;
  /** The bytes that it had when it was opened. */
  stream(): Readable;
}

/** The files that a session keeps in its folder, by their paths. It follows no link, and shows and changes nothing outside. */
export interface SessionFiles {
  /** A page of a session's files in order of their paths; none where it has no folder. `after` is the last path of the page before. */
  list(
    owner: string,
    sessionId: string,
    page: { limit: number; after?: string | undefined },
  ): Promise<{ items: ListedFile[]; next: string | null }>;
  /** Opens a file; null for a path that leads to none. */
  open(owner: string, sessionId: string, path: string): ReadableFile | null;
  /** Writes a file, and the folders on the way to it. Gives whether it is new. Rejects with `FileRefused`. */
  write(owner: string, sessionId: string, path: string, bytes: Buffer): Promise<boolean>;
  /** Deletes a file. Rejects with `FileRefused`, `not_found` where there is none. */
  remove(owner: string, sessionId: string, path: string): Promise<void>;
}

/** Why a file of a session can not be listed, read or changed. */
export type FileProblem =
  | 'invalid_path'
  | 'service_file'
  | 'not_found'
  | 'not_a_file'
  | 'not_text'
  | 'file_too_large'
  | 'session_full'
  | 'too_many_files';

/** A file operation that is refused; nothing was changed by it. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(problem);
    this.problem = problem;
  }
}
