/** Longest path of a file, in bytes of UTF-8: a quarter of what systems take, for the folder's own path comes before it. */
const PATH_BYTES_MAX = 1_024;

/** Longest name of a file or folder, in bytes of UTF-8: what usual file systems take. */
const NAME_BYTES_MAX = 255;

const PATH_DEPTH_MAX = 16;

/** The names on the way from the session's folder to a file in it. */
export type FilePath = readonly string[];

/** Controls, invisible formatting, separators of lines and lone surrogates: a name with them is not what it looks like. */
const UNSEEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\\]/u;

const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && Buffer.byteLength(name) <= NAME_BYTES_MAX;

/** Reads a path within a session's folder; null for one that is absolute, empty, too long, leads upwards or has unseen characters. It looks at no disk. */
export const parseFilePath = (text: string): FilePath | null => {
  if (text.length > PATH_BYTES_MAX || Buffer.byteLength(text) > PATH_BYTES_MAX || UNSEEN.test(text)) return null;
  const names = text.split('/');
  return names.length <= PATH_DEPTH_MAX && names.every(isName) ? names : null;
};

/** True for the files that the service keeps itself (SPEC 10): tools read them and never write them. */
export const isServiceFile = ([first]: FilePath): boolean => /^(plan(\..+)?\.json|mission\.md)$/i.test(first ?? '');

/** Files of the service that nobody is shown: half-written ones, the record of changes that were made, and whole results of actions. */
export const hiddenNames = {
  unfinished: '.files.new',
  applied: '.files.applied.json',
  results: '.files.results',
} as const;

/** True for `hiddenNames` and half-written service files: never listed, read or written. */
export const isHidden = ([first]: FilePath): boolean => /^\.(files|plan|mission\.md)\./i.test(first ?? '');
