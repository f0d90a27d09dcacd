/** Longest wait, in milliseconds: a day. A platform may ask for more than a timer takes, which would then not wait at all. */
const PAUSE_MS_MAX = 24 * 60 * 60 * 1_000;

/** Waits, or not so long where the signal aborts. */
export const pause = async (ms: number, signal: AbortSignal): Promise<void> => {
  if (signal.aborted) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      clearTimeout(timer);
      signal.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, Math.min(ms, PAUSE_MS_MAX));
    signal.addEventListener('abort', done);
  });
};

/** Longest wait between two attempts, in milliseconds: whoever waits for a service that comes back does not wait much longer. */
const WAIT_MS_MAX = 15_000;

/** How long to wait before the next attempt, in milliseconds: half a second, and twice as long each time. */
export const backoff = (attempt: number): number => Math.min(WAIT_MS_MAX, 500 * 2 ** attempt);

/** How long a platform asks to wait, in milliseconds; null where it does not. Each package names it differently. */
const askedWait = (error: unknown): number | null => {
  const { retryAfter, retryAfterMs } = error as { retryAfter?: unknown; retryAfterMs?: unknown };
  if (typeof retryAfterMs === 'number') return retryAfterMs;
  return typeof retryAfter === 'number' ? retryAfter * 1_000 : null;
};

/** Attempts at a message in a row. */
const ATTEMPTS = 6;

/** Calls a platform until it takes a message; throws its last refusal. */
export const insist = async <Result>(
  call: () => Promise<Result>,
  signal: AbortSignal,
  attempts = ATTEMPTS,
): Promise<Result> => {
  for (let attempt = 0; ; attempt++) {
    try {
      return await call();
    } catch (error) {
      if (attempt + 1 >= attempts || signal.aborted) throw error;
      await pause(askedWait(error) ?? backoff(attempt), signal);
    }
  }
};
