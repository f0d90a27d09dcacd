/** A file of a session. */
export interface ListedFile {
  /** Its path in the session's folder. */
  path: string;
  /** In bytes. */
  size: number;
  /** Epoch milliseconds. */
  modified_at: number;
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
