/** Why a file of a session can not be listed, read or changed. */
export type FileProblem =
  | 'invalid_path'
  | 'service_file'
  | 'not_found'
  | 'not_a_file'
  | 'not_text'
  | 'file_too_large'
  | 'session_full'
  | 'too_many_files'
  | 'changed_meanwhile';

/** A file operation that is refused; nothing was changed by it. */
export class FileRefused extends Error {
  override name = 'FileRefused';
  readonly problem: FileProblem;

  constructor(problem: FileProblem) {
    super(problem);
    this.problem = problem;
  }
}

/** System errors of a path that leads to no file: missing, through a link, through a file, or with a name that the disk does not take. */
const NOWHERE = ['ENOENT', 'ENOTDIR', 'ELOOP', 'ENAMETOOLONG', 'EISDIR', 'ENXIO', 'EINVAL'];

/** Whether a system error says that there is no file at the path. */
export const leadsNowhere = (error: unknown): boolean =>
  NOWHERE.includes(String((error as NodeJS.ErrnoException).code));
