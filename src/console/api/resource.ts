import { type ReadonlySignal, signal } from '@preact/signals';
import { useEffect, useMemo } from 'preact/hooks';

/** Something that is loaded: not there yet, there, or failed. What was there stays while it is loaded again, and when that fails. */
export interface Loaded<Value> {
  value: Value | undefined;
  /** Why the last load failed; null: it did not. */
  error: unknown;
}

/** A loaded value, and how to load it again. */
export interface Resource<Value> {
  loaded: ReadonlySignal<Loaded<Value>>;
  reload: () => void;
  /** The same, and resolves when the value is there, or the load failed or was given up for a newer one. */
  reloaded: () => Promise<void>;
}

/** Loads a value when the component is shown, and again when `keys` change. A newer load ends an older one. */
export const useResource = <Value>(
  load: (signal: AbortSignal) => Promise<Value>,
  keys: readonly unknown[],
): Resource<Value> => {
  const resource = useMemo(() => {
    const loaded = signal<Loaded<Value>>({ value: undefined, error: null });
    let current: AbortController | undefined;
    const reloaded = (): Promise<void> => {
      current?.abort();
      const own = new AbortController();
      current = own;
      return load(own.signal).then(
        (value) => {
          if (!own.signal.aborted) loaded.value = { value, error: null };
        },
        (error: unknown) => {
          if (!own.signal.aborted) loaded.value = { value: loaded.peek().value, error };
        },
      );
    };
    return { loaded, reloaded, reload: () => void reloaded(), stop: () => current?.abort() };
  }, keys);
  useEffect(() => {
    resource.reload();
    return resource.stop;
  }, [resource]);
  return resource;
};
