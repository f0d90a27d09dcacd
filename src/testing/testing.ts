/**
 * What tests of one's own agent may import from `tripact/testing`: a public file of the package. It names no test runner, so it
 * works in any.
 */
import { createScriptedModel, type Script, type ScriptedModel } from '../models/scripted.ts';

export type { TraceEntry } from '../../contracts/trace.ts';
export type { TurnView } from '../../contracts/turn-view.ts';
export type { ReplayResult } from '../engine/replay/replay.ts';
export { traceAsTest } from '../engine/replay/trace-as-test.ts';
export { type Model, type ModelRequest, ModelUnavailable } from '../models/port.ts';
export type { Script, ScriptedAnswer, ScriptedModel, ScriptedReply } from '../models/scripted.ts';
export { expectTrace, replayTrace, type TraceExpectation } from './expect-trace.ts';
export { type Recording, type RecordOptions, recordTrace } from './record-trace.ts';
export type { TraceSource } from './trace-source.ts';

/**
 * A model that answers from a script: a list is used up in order, or by contract (`{plan, thought, replan}`), where a single answer
 * is given each time. An object becomes JSON, a string is the text as it is, an `Error` is thrown, a function makes the answer from
 * the request. It remembers every request, and never makes an answer up: a request beyond the script throws.
 */
export const scriptedModel = (script: Script): ScriptedModel => createScriptedModel(script);
