/** The imports of tests of one's own agent from `tripact/testing`. It names no test runner, so it works in any. */
import { AssertionError } from 'node:assert';
import { createReadStream } from 'node:fs';
import { parseNdjson } from '../history/parse-ndjson.ts';
import { type ReplayResult, replay } from '../history/replay.ts';

export type { TraceEntry } from '../../contracts/trace.ts';
export type { TurnView } from '../../contracts/turn-view.ts';
export type { ReplayResult } from '../history/replay.ts';
export { traceAsTest } from '../history/trace-as-test.ts';
export { type Model, type ModelRequest, ModelUnavailable } from '../models/port.ts';
export {
  createScriptedModel as scriptedModel,
  type Script,
  type ScriptedAnswer,
  type ScriptedCall,
  type ScriptedModel,
  type ScriptedReply,
} from '../models/scripted.ts';
export { type Recording, type RecordOptions, recordTrace } from './record-trace.ts';

/**
 * A trace, however it is at hand: its entries, its NDJSON (a string that begins with `{`), or the file it is in (any other string
 * is a path; a `file:` URL, such as `new URL('trip.ndjson', import.meta.url)`, stands for its file too).
 */
export type TraceSource = string | URL | Iterable<unknown> | AsyncIterable<unknown>;

/** A trace's lines as parsed JSON, unchecked. Throws `TRACE_NOT_READABLE` for text that is no NDJSON, and what reading a file throws. */
const linesOf = (trace: TraceSource): Iterable<unknown> | AsyncIterable<unknown> => {
  if (trace instanceof URL) return parseNdjson(createReadStream(trace));
  if (typeof trace !== 'string') return trace;
  return parseNdjson(trace.trimStart().startsWith('{') ? [trace] : createReadStream(trace));
};

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
