import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** Shortest time between two loads, in milliseconds: one step of a task makes several changes. */
const GATHER_MS = 80;

/** How many times longer than the last load the next one waits, so that a quick stream of changes takes a small part of page and service. */
const PAUSE_FACTOR = 3;

/** Loads something again after changes, however many there are. */
export interface Gathered {
  /** Something changed: it is loaded soon, and once for all changes until then. */
  changed(): void;
  stop(): void;
}

/** Makes the loads of changes: never two at a time, and none is given up for a newer one, so that what changes all the time is seen to change. */
export const createGathered = (load: () => Promise<unknown>): Gathered => {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isLoading = false;
  let isStale = false;
  let isStopped = false;
  let pause = GATHER_MS;
  const run = async (): Promise<void> => {
    timer = undefined;
    isLoading = true;
    isStale = false;
    const began = performance.now();
    try {
      await load();
    } finally {
      isLoading = false;
      pause = Math.max(GATHER_MS, PAUSE_FACTOR * (performance.now() - began));
      if (isStale) changed();
    }
  };
  const changed = (): void => {
    isStale = true;
    if (isLoading || isStopped) return;
    timer ??= setTimeout(() => void run(), pause);
  };
  return {
    changed,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
};

/** Something that is loaded: not there yet, there, or failed. What was there stays while it is loaded again, and when that fails. */
export interface Loaded<Value> {
  value: Value | undefined;
  /** Why the last load failed; null: it did not. */
  error: unknown;
}

/** Loads a value into a signal. A newer load ends an older one; `load` resolves to whether it was the newest to its end. */
const createLoader = <Value>(ask: (signal: AbortSignal) => Promise<Value>) => {
  const loaded = signal<Loaded<Value>>({ value: undefined, error: null });
  let current: AbortController | undefined;
  const load = async (): Promise<boolean> => {
    current?.abort();
    const own = new AbortController();
    current = own;
    const last = (): Loaded<Value> => loaded.peek();
    const next = await ask(own.signal).then(
      (value) => (value === last().value && last().error === null ? last() : { value, error: null }),
      (error: unknown) => ({ value: last().value, error }),
    );
    if (!own.signal.aborted) loaded.value = next;
    return !own.signal.aborted;
  };
  return { loaded, load, stop: () => current?.abort() };
};

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
  ask: (signal: AbortSignal) => Promise<Value>,
  everyMs: number,
  isNeededUnseen = () => false,
): Polled<Value> => {
  const { loaded, load, stop } = createLoader(ask);
  let users = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;

  const refresh = async (): Promise<void> => {
    clearTimeout(timer);
    if ((await load()) && users > 0) timer = setTimeout(seen, everyMs);
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
        stop();
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

/** A loaded value, and how to load it again. */
export interface Resource<Value> {
  loaded: ReadonlySignal<Loaded<Value>>;
  reload: () => void;
  /** The same, and resolves when the value is there, or the load failed or was given up for a newer one. */
  reloaded: () => Promise<unknown>;
}

/** Loads a value when the component is shown, and again when `keys` change. A newer load ends an older one. */
export const useResource = <Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Resource<Value> => {
  const resource = useMemo(() => {
    const { loaded, load, stop } = createLoader(ask);
    return { loaded, reloaded: load, reload: () => void load(), stop };
  }, keys);
  useEffect(() => {
    resource.reload();
    return resource.stop;
  }, [resource]);
  return resource;
};

/** Changes by the user: `change` makes one, then calls `done`, and resolves to whether it was made; `problem` is why the last one was not. */
export const useChange = (done = (): void => {}) => {
  const problem = useSignal<unknown>(null);
  const change = async (make: () => Promise<unknown>): Promise<boolean> => {
    problem.value = null;
    try {
      await make();
    } catch (error) {
      problem.value = error;
    }
    done();
    return problem.value === null;
  };
  return { problem, change };
};
