/** Makes something for all who ask, when it is first asked for, and again after a failure: what failed for a moment, such as a file that could not be opened, is not kept. */
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
