/**
 * Makes a value once for all callers, at the first call, and again after a failure: a temporary failure, such as a file
 * that could not be opened, is not kept.
 */
export const madeOnce = <Made>(make: () => Promise<Made>): (() => Promise<Made>) => {
  let made: Promise<Made> | undefined;
  return () => {
    made ??= make().catch((error: unknown) => {
      made = undefined;
      throw error;
    });
    return made;
  };
};
