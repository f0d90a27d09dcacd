/** Imports for tests of custom agents from `tripact/testing`. Works with any test runner. */
import { AssertionError } from 'node:assert';
import { type ReplayResult, replay } from '../history/replay.ts';
import { linesOf, type TraceSource } from './trace-source.ts';

export type { TraceEntry } from '../../contracts/trace.ts';
export type { TurnView } from '../../contracts/turn-view.ts';
export type { ReplayResult } from '../history/replay.ts';
export { traceAsTest } from '../history/trace-as-test.ts';
export { type Model, type ModelRequest, ModelUnavailable } from '../models/port.ts';
export type { Script, ScriptedAnswer, ScriptedCall, ScriptedModel, ScriptedReply } from '../models/scripted.ts';
export type { RecordedInput, RecordedModelOptions, RecordedTurn } from '../rerun/recorded-run.ts';
export { type Recording, type RecordOptions, recordTrace } from './record-trace.ts';
export { type CreateScriptedModel, type RecordedModel, scriptedModel } from './scripted-model.ts';
export type { TraceSource } from './trace-source.ts';

/**
 * Runs a trace through the machine and compares it entry by entry (SPEC 12). Performs nothing: no model, no tool, no
 * store. Returns `{ok: true, entries}`, or the first difference with its seq. Throws `TRACE_NOT_READABLE` for anything
 * but a trace.
 */
export const replayTrace = (trace: TraceSource): Promise<ReplayResult> => replay(linesOf(trace));

/** Expectations of a trace. Each has to be awaited. */
export interface TraceExpectation {
  /**
   * Asserts that today's machine produces the same trace from its events; else throws an `AssertionError` with the
   * first difference.
   */
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
