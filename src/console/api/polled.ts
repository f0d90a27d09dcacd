import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { createGathered, type Gathered } from './gathered.ts';
import type { Loaded } from './resource.ts';

/** Something that the service does not stream, loaded again and again while it is shown. */
export interface Polled<Value> {
  readonly loaded: ReadonlySignal<Loaded<Value>>;
  /** Loads it now, as after something that changed it. */
  refresh(): void;
  /** Loads it as long as somebody uses it; the returned function ends that. */
  use(): () => void;
}

/** Those that are shown, with what loads each again. */
const shown = new Set<Gathered>();

/** Something happened that lists may show: those on the page are loaded again soon, and once for many such events. */
export const listsChanged = (): void => {
  for (const reloads of shown) reloads.changed();
};

/**
 * Polls while the page is seen, `everyMs` after the last answer. A page that is not seen asks for nothing unless `isNeededUnseen`, and is brought up to
 * date when it is seen again.
 */
export const createPolled = <Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  everyMs: number,
  isNeededUnseen = () => false,
): Polled<Value> => {
  const loaded = signal<Loaded<Value>>({ value: undefined, error: null });
  let users = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let current: AbortController | undefined;

  const refresh = async (): Promise<void> => {
    clearTimeout(timer);
    current?.abort();
    const own = new AbortController();
    current = own;
    try {
      const value = await load(own.signal);
      const last = loaded.peek();
      if (!own.signal.aborted && (value !== last.value || last.error !== null)) loaded.value = { value, error: null };
    } catch (error) {
      if (!own.signal.aborted) loaded.value = { value: loaded.peek().value, error };
    }
    if (own.signal.aborted || users === 0) return;
    timer = setTimeout(() => void refreshSeen(), everyMs);
  };
  const refreshSeen = async (): Promise<void> => {
    if (users > 0 && (document.visibilityState === 'visible' || isNeededUnseen())) await refresh();
  };
  const seen = (): void => void refreshSeen();
  const reloads = createGathered(refreshSeen);

  return {
    loaded,
    refresh: () => {
      if (users > 0) void refresh();
    },
    use: () => {
      users += 1;
      if (users === 1) {
        document.addEventListener('visibilitychange', seen);
        shown.add(reloads);
        void refresh();
      }
      return () => {
        users -= 1;
        if (users > 0) return;
        clearTimeout(timer);
        current?.abort();
        document.removeEventListener('visibilitychange', seen);
        shown.delete(reloads);
      };
    },
  };
};

/** Polls as long as the component is shown. */
export const usePolled = <Value>(polled: Polled<Value>): ReadonlySignal<Loaded<Value>> => {
  useEffect(() => polled.use(), [polled]);
  return polled.loaded;
};
