import { AsyncLocalStorage } from 'node:async_hooks';

/** Where something belongs in a distributed trace, by the names that log lines have for it. */
export interface TraceIds {
  readonly trace_id: string;
  readonly span_id: string;
}

const current = new AsyncLocalStorage<TraceIds>();

/** What runs now belongs to this span; undefined where nothing is traced. */
export const currentTraceIds = (): TraceIds | undefined => current.getStore();

/** Runs it, and all that it starts, as part of a span. */
export const runInTrace = <Result>(ids: TraceIds, run: () => Result): Result => current.run(ids, run);
