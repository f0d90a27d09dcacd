/** Code that is loaded late, each with the function that loads it. */
const parts = new Set<() => Promise<unknown>>();

/**
 * Code that the first screen does not need: loaded when it is asked for, and otherwise once the page has nothing to do.
 * So what is opened after the service was restarted or upgraded is there already.
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

const idle = (): Promise<void> =>
  new Promise((resolve) => {
    if ('requestIdleCallback' in globalThis) requestIdleCallback(() => resolve(), { timeout: WAIT_MS });
    else setTimeout(resolve, WAIT_MS);
  });

/** Loads all late code, a part at a time, while the page is idle. What fails is loaded when it is asked for. */
export const loadLateParts = async (): Promise<void> => {
  for (const load of parts) {
    await idle();
    await load().catch(() => {});
  }
};
