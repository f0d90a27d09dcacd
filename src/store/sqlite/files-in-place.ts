import { statSync } from 'node:fs';
import { dirname } from 'node:path';

/** How long a full check is relied on, in milliseconds: it costs as much as a short read, and makes the next commit slower. */
const CHECKED_FOR_MS = 100;

/** Finds out when open files were removed or replaced: what is written to them then is nowhere. */
export interface FilesInPlace {
  /** Throws an error of the storage where a path leads to another file than when it was opened, or to none. */
  assertInPlace(): void;
  /**
   * The same for every commit: checks the files when their folder has changed, for nothing is removed or replaced without that, and
   * otherwise relies on a check that may be a moment old.
   */
  assertInPlaceOnCommit(): void;
  /** The same, by a check that may be a moment old. */
  assertInPlaceLately(): void;
}

/** What a path leads to. A disk that can't be read is the storage's fault, as for SQLite. */
const statOf = (path: string) => {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch (error) {
    throw Object.assign(new Error((error as Error).message, { cause: error }), { code: 'SQLITE_IOERR_FSTAT' });
  }
};

const identityOf = (path: string): string | null => {
  const found = statOf(path);
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

/** Which folder a path leads to, and when an entry of it was last made, removed or replaced; null where there is none. */
const versionOf = (folder: string): string | null => {
  const found = statOf(folder);
  return found === undefined ? null : `${found.dev}:${found.ino}:${found.ctimeMs}`;
};

/**
 * Remembers which files of one folder the paths lead to now; one that leads to none is not watched. A commit stats the folder and not
 * the log: Linux gives a file whose times were read a new time at its next write, which makes its fsync take half as long again.
 */
export const watchFiles = (paths: readonly string[]): FilesInPlace => {
  const known = paths.map((path) => ({ path, identity: identityOf(path) })).filter(({ identity }) => identity !== null);
  const folder = dirname(paths[0] ?? '.');
  let checkedAt = Number.NEGATIVE_INFINITY;
  let version: string | null = null;
  const assertInPlace = (): void => {
    checkedAt = Number.NEGATIVE_INFINITY;
    // Before the files: what changes after it is found by the next check.
    version = versionOf(folder);
    for (const { path, identity } of known)
      if (identityOf(path) !== identity)
        throw Object.assign(new Error(`${path} was removed or replaced while the service has it open`), {
          code: 'SQLITE_READONLY_DBMOVED',
        });
    checkedAt = performance.now();
  };
  const assertInPlaceLately = (): void => {
    if (performance.now() - checkedAt >= CHECKED_FOR_MS) assertInPlace();
  };
  return {
    assertInPlace,
    assertInPlaceOnCommit: () => {
      if (versionOf(folder) === version) assertInPlaceLately();
      else assertInPlace();
    },
    assertInPlaceLately,
  };
};
