/** Imports for tests of custom agents from `tripact/testing`. Works with any test runner. */
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
 * A trace in any form: its entries, its NDJSON (a string that begins with `{`), or the file that contains it (any other
 * string is a path; a `file:` URL, such as `new URL('trip.ndjson', import.meta.url)`, also names a file).
 */
export type TraceSource = string | URL | Iterable<unknown> | AsyncIterable<unknown>;

/**
 * A trace's lines as parsed, unchecked JSON. Throws `TRACE_NOT_READABLE` for text that is not NDJSON, and errors of
 * reading a file.
 */
const linesOf = (trace: TraceSource): Iterable<unknown> | AsyncIterable<unknown> => {
  if (trace instanceof URL) return parseNdjson(createReadStream(trace));
  if (typeof trace !== 'string') return trace;
  return parseNdjson(trace.trimStart().startsWith('{') ? [trace] : createReadStream(trace));
};

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
