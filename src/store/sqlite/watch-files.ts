import { statSync } from 'node:fs';

/** How long a check of the files is valid, in milliseconds. */
const CHECKED_FOR_MS = 1_000;

/**
 * Creates a check that throws if the open database or its log was removed or replaced, since writes would then be lost.
 */
export const watchFiles = (path: string): ((isNow?: boolean) => void) => {
  const identity = (): string =>
    [path, `${path}-wal`]
      .map((each) => statSync(each, { throwIfNoEntry: false }))
      .map((found) => found && `${found.dev}:${found.ino}`)
      .join();
  const known = identity();
  let checkedAt = performance.now();
  return (isNow = false) => {
    if (!isNow && performance.now() - checkedAt < CHECKED_FOR_MS) return;
    if (identity() !== known)
      throw Object.assign(new Error(`${path} was removed or replaced while the service has it open`), {
        code: 'SQLITE_READONLY_DBMOVED',
      });
    checkedAt = performance.now();
  };
};
