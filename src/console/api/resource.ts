import { type ReadonlySignal, signal, useSignal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** Shortest time between two loads after changes, in milliseconds: one step of a task makes several. */
const GATHER_MS = 80;

/** How many times longer than the last load the next one waits, so that a quick stream of changes takes a small part of page and service. */
const PAUSE_FACTOR = 3;

/** Something that is loaded: not there yet, there, or failed. What was there stays while it is loaded again, and when that fails. */
export interface Loaded<Value> {
  value: Value | undefined;
  /** Why the last load failed; null: it did not. */
  error: unknown;
}

/** A loaded value, and how to load it again. */
export interface Resource<Value> {
  readonly loaded: ReadonlySignal<Loaded<Value>>;
  /** Loads it at once; a load that goes on is given up for this one. */
  reload(): void;
  /** The same, and resolves when the value is there, or the load failed or was given up. */
  reloaded(): Promise<void>;
  /** Something changed: it is loaded soon, once for all changes until then, and never while a load goes on. */
  changed(): void;
  stop(): void;
}

/** Makes a resource; nothing is asked for until it is told to. */
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

/** Functions that load the polled lists again. */
const polled = new Set<() => void>();

/** Something happened that lists may show: those on the page are loaded again soon, and once for many such events. */
export const listsChanged = (): void => {
  for (const again of polled) again();
};

const isPageSeen = (): boolean => document.visibilityState === 'visible';

/** Loads a resource every so often while it is needed, and when lists may have changed or the page is seen again; the returned function ends that. */
export const poll = ({ changed, stop }: Resource<unknown>, everyMs: number, isNeeded = isPageSeen) => {
  const again = (): void => {
    if (isNeeded()) changed();
  };
  const timer = setInterval(again, everyMs);
  document.addEventListener('visibilitychange', again);
  polled.add(again);
  return (): void => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', again);
    polled.delete(again);
    stop();
  };
};

/** Loads a value when the component is shown, again when `keys` change, and every so often where that is said. */
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
