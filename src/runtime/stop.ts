import type { Store } from '../store/port.ts';
import type { EngineParts } from './engine-parts.ts';
import type { Engine } from './port.ts';
import type { RunningSessions } from './running-sessions.ts';

/** How long a stopping service lets effects finish before it aborts them, in milliseconds. */
const GRACE_MS = 5_000;

/** Creates the stop of an engine, once for all callers. */
export const createStop = (
  { store, log }: Pick<EngineParts, 'log'> & { store: Pick<Store, 'close' | 'isWritable'> },
  {
    actors,
    callbacks,
    replies,
    stopping,
    toolRuns,
  }: Pick<RunningSessions, 'actors' | 'callbacks' | 'replies' | 'stopping' | 'toolRuns'>,
): Pick<Engine, 'drain' | 'close' | 'isStopping' | 'isReady'> => {
  let isClosed = false;
  const isStopping = (): boolean => stopping.signal.aborted;

  const drain = async (graceMs = GRACE_MS): Promise<void> => {
    if (isStopping()) return;
    stopping.abort();
    replies.waiting.dismiss();
    callbacks.stop();
    toolRuns.stop();
    // The timer of a signal keeps no process alive, so one without grace needs none.
    await actors.stop(graceMs === 0 ? AbortSignal.abort() : AbortSignal.timeout(graceMs));
  };

  const close = async (graceMs?: number): Promise<void> => {
    if (isClosed) return;
    isClosed = true;
    try {
      await drain(graceMs);
    } finally {
      await store.close(true).catch((error: unknown) => {
        log.error({ err: error }, 'the end could not be recorded; the next start will treat it as a crash');
      });
    }
  };
  return { drain, close, isStopping, isReady: async () => !isStopping() && (await store.isWritable()) };
};
