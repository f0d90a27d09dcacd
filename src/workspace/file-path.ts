/** Longest path of a file, in bytes of UTF-8: a quarter of what systems allow, as the folder's own path comes first. */
const PATH_BYTES_MAX = 1_024;

/** Longest name of a file or folder, in bytes of UTF-8: what common file systems allow. */
const NAME_BYTES_MAX = 255;

const PATH_DEPTH_MAX = 16;

/** The names from the session's folder to a file in it. */
export type FilePath = readonly string[];

/**
 * Control, invisible and line-separating characters, and lone surrogates: a name with them looks different from what it
 * is.
 */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]/u;

const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= NAME_BYTES_MAX;

/**
 * Parses a path within a session's folder; null if it is absolute, empty, too long, leads upwards or has invisible
 * characters. Does not access the disk.
 */
export const parseFilePath = (text: string): FilePath | null => {
  if (text.length > PATH_BYTES_MAX || Buffer.byteLength(text) > PATH_BYTES_MAX || UNSEEN.test(text)) return null;
  const names = text.split('/');
  return names.length <= PATH_DEPTH_MAX && names.every(isName) ? names : null;
};

/** True for the files that the service writes itself (SPEC 10). Tools can read them, never write them. */
export const isServiceFile = ([first]: FilePath): boolean => /^(plan(\..+)?\.json|mission\.md)$/i.test(first ?? '');

/**
 * Files of the service that nobody sees: partially written ones, the record of changes, whole results of actions, the texts
 * of users' files, and the notes of files whose turn, or whose tool's result, is not stored yet.
 */
export const hiddenNames = {
  unfinished: '.files.new',
  applied: '.files.applied.json',
  results: '.files.results',
  texts: '.files.texts',
  unfinishedUpload: '.files.upload',
  arriving: '.files.arriving.json',
  ofTools: '.files.of-tools.json',
} as const;

/** True for `hiddenNames` and partially written service files: never listed, read or written. */
export const isHidden = ([first]: FilePath): boolean => /^\.(files|plan|mission\.md)\./i.test(first ?? '');
