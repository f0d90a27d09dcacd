/** Code that is loaded late, each with the function that loads it. */
const parts = new Set<() => Promise<unknown>>();

/**
 * Code that the first screen does not need: loaded when needed, else when the page is idle.
 * So it is already there if the service is restarted or upgraded later.
 */
export const late = <Code>(load: () => Promise<Code>): (() => Promise<Code>) => {
  let loaded: Promise<Code> | undefined;
  const once = (): Promise<Code> => {
    loaded ??= load().catch((error: unknown) => {
      loaded = undefined;
      throw error;
    });
    return loaded;
  };
  parts.add(once);
  return once;
};

/** Wait for a browser that does not say when it is idle, in milliseconds. */
const WAIT_MS = 2_000;

/** Resolves when the page has nothing to do. */
export const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: WAIT_MS });
    else setTimeout(resolve, WAIT_MS);
  });

/** Loads all late code, a part at a time, while the page is idle. Failed parts are loaded when needed. */
export const loadLateParts = async (): Promise<void> => {
  for (const load of parts) {
    await idle();
    await load().catch(() => {});
  }
};
