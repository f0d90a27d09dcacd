import type { ComponentChildren } from 'preact';
import { useResource } from '../api/resource.ts';
import { Failure, Loading } from '../design/notice.tsx';

interface LoadedPartProps<Value> {
  load: (signal: AbortSignal) => Promise<Value>;
  /** Shown in place of the failure, for errors that are none; undefined: the failure is shown. */
  otherwise?: (error: unknown) => ComponentChildren | undefined;
  children: (value: Value, reload: () => void) => ComponentChildren;
}

/** A part of the screen that is loaded by itself. */
export const LoadedPart = <Value,>({ load, otherwise, children }: LoadedPartProps<Value>) => {
  const { loaded, reload } = useResource(load, []);
  const { value, error } = loaded.value;
  if (value !== undefined) return <>{children(value, reload)}</>;
  if (error === null) return <Loading />;
  return <>{otherwise?.(error) ?? <Failure error={error} onRetry={reload} />}</>;
};
