import { AssertionError } from 'node:assert';
import { type ReplayResult, replay } from '../engine/replay/replay.ts';
import { linesOf, type TraceSource } from './trace-source.ts';

/**
 * Folds a trace through the machine and compares it entry by entry (SPEC 12). Performs nothing: no model, no tool, no store.
 * Gives `{ok: true, entries}`, or the first difference with its seq. Throws `TRACE_NOT_READABLE` for what is no trace.
 */
export const replayTrace = (trace: TraceSource): Promise<ReplayResult> => replay(linesOf(trace));

/** Expectations of a trace. Each is to be awaited. */
export interface TraceExpectation {
  /** The trace is what the machine makes of its events today; else an `AssertionError` with the first difference. */
  toReplay(): Promise<void>;
}

/** Starts an assertion about a trace, for any test runner: `await expectTrace(trace).toReplay()`. */
export const expectTrace = (trace: TraceSource): TraceExpectation => ({
  toReplay: async function toReplay() {
    const result = await replayTrace(trace);
    if (result.ok) return;
    const { message, expected, actual } = result;
    throw new AssertionError({
      message: `The trace does not replay: ${message}`,
      expected,
      actual,
      operator: 'toReplay',
      stackStartFn: toReplay,
    });
  },
});
