import { statSync } from 'node:fs';

/** How long a read relies on the last check, in milliseconds: a check costs as much as a short read. */
const CHECKED_FOR_MS = 100;

/** Finds out when open files were removed or replaced: what is written to them then is nowhere. */
export interface FilesInPlace {
  /** Throws an error of the storage where a path leads to another file than when it was opened, or to none. */
  assertInPlace(): void;
  /** The same, by a check that may be a moment old. */
  assertInPlaceLately(): void;
}

const identityOf = (path: string): string | null => {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? null : `${found.dev}:${found.ino}`;
};

/** Remembers which files the paths lead to now; one that leads to none is not watched. */
export const watchFiles = (paths: readonly string[]): FilesInPlace => {
  const known = paths.map((path) => ({ path, identity: identityOf(path) })).filter(({ identity }) => identity !== null);
  let checkedAt = Number.NEGATIVE_INFINITY;
  const assertInPlace = (): void => {
    checkedAt = Number.NEGATIVE_INFINITY;
    for (const { path, identity } of known)
      if (identityOf(path) !== identity)
        throw Object.assign(new Error(`${path} was removed or replaced while the service has it open`), {
          code: 'SQLITE_READONLY_DBMOVED',
        });
    checkedAt = performance.now();
  };
  return {
    assertInPlace,
    assertInPlaceLately: () => {
      if (performance.now() - checkedAt >= CHECKED_FOR_MS) assertInPlace();
    },
  };
};
