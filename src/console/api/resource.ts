import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** Shortest time between two loads after changes, in milliseconds: one event of a task causes several changes. */
const GATHER_MS = 80;

/**
 * How many times longer than the last load the next one waits, so that frequent changes use a small part of the page's
 * and the service's time.
 */
const PAUSE_FACTOR = 3;

/** A loaded value: not there yet, there, or failed. A value stays while it is reloaded, and if that fails. */
export interface Loaded<Value> {
  value: Value | undefined;
  /** Why the last load failed; null: it did not. */
  error: unknown;
}

/** A loaded value, and how to reload it. */
export interface Resource<Value> {
  readonly loaded: ReadonlySignal<Loaded<Value>>;
  /** Loads it at once. Abandons a load in progress. */
  reload(): void;
  /** The same, and resolves when the value is there, or the load failed or was abandoned. */
  reloaded(): Promise<void>;
  /** Something changed: loads it soon, once for all changes until then, and never while a load is in progress. */
  changed(): void;
  stop(): void;
}

/** Creates a resource. Loads nothing before `load` is called. */
export const createResource = <Value>(ask: (signal: AbortSignal) => Promise<Value>): Resource<Value> => {
  const loaded = signal<Loaded<Value>>({ value: undefined, error: null });
  let current: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isStale = false;
  let pause = GATHER_MS;
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    current?.abort();
  };
  const reloaded = async (): Promise<void> => {
    stop();
    const own = new AbortController();
    current = own;
    isStale = false;
    const began = performance.now();
    const last = (): Loaded<Value> => loaded.peek();
    const next = await ask(own.signal).then(
      (value) => (value === last().value && last().error === null ? last() : { value, error: null }),
      (error: unknown) => ({ value: last().value, error }),
    );
    if (own.signal.aborted) return;
    current = null;
    loaded.value = next;
    pause = Math.max(GATHER_MS, PAUSE_FACTOR * (performance.now() - began));
    if (isStale) changed();
  };
  const reload = (): void => void reloaded();
  const changed = (): void => {
    isStale = true;
    if (current === null) timer ??= setTimeout(reload, pause);
  };
  return { loaded, reload, reloaded, changed, stop };
};

/** Functions that reload the polled lists, each soon and at once. */
const polled = new Map<() => void, () => Promise<void>>();

/** Reloads the lists on the page soon, after something that they may show. Many such events cause one reload. */
export const listsChanged = (): void => {
  for (const again of polled.keys()) again();
};

/** Reloads the lists on the page, and resolves when they are there. */
export const listsReloaded = async (): Promise<void> => {
  await Promise.all([...polled.values()].map((reloaded) => reloaded()));
};

const isPageSeen = (): boolean => document.visibilityState === 'visible';

/**
 * Loads a resource periodically while it is needed, and also when lists may have changed or the page becomes visible.
 * Returns the function that ends this.
 */
export const poll = ({ changed, reloaded, stop }: Resource<unknown>, everyMs: number, isNeeded = isPageSeen) => {
  const again = (): void => {
    if (isNeeded()) changed();
  };
  const timer = setInterval(again, everyMs);
  document.addEventListener('visibilitychange', again);
  polled.set(again, reloaded);
  return (): void => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', again);
    polled.delete(again);
    stop();
  };
};

/** Loads a value when the component is shown, again when `keys` change, and periodically if an interval is given. */
export const useResource = <Value>(
  ask: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
  everyMs?: number,
): Resource<Value> => {
  const resource = useMemo(() => createResource(ask), keys);
  useEffect(() => {
    resource.reload();
    return everyMs === undefined ? resource.stop : poll(resource, everyMs);
  }, [resource, everyMs]);
  return resource;
};

/**
 * Changes by the user. `change` makes one, then calls `done`, and resolves to whether it succeeded; `problem` is why
 * the last one failed.
 */
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
