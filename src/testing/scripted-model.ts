import { createScriptedModel, type Script, type ScriptedModel } from '../models/scripted.ts';
import { recordedInputs } from '../rerun/recorded-inputs.ts';
import { createRecordedModel } from '../rerun/recorded-model.ts';
import type { RecordedInput, RecordedModelOptions } from '../rerun/recorded-run.ts';
import { readRecording } from '../rerun/recording.ts';
import { linesOf, type TraceSource } from './trace-source.ts';

/** A scripted model with the answers of a recorded run, and what its user sent. */
export interface RecordedModel extends ScriptedModel {
  /** The user's inputs, for `recordTrace`. Steers, cancels and edits of a plan are left out. */
  readonly inputs: readonly RecordedInput[];
}

/** `scriptedModel(script)`, and `scriptedModel.from(trace)`. */
export interface CreateScriptedModel {
  /**
   * A model for tests that answers from a script, in order or by contract, and records every request. A request beyond
   * the script throws.
   */
  (script: Script): ScriptedModel;
  /**
   * A scripted model with the answers of a recorded run, in their order. A run with it has to go as the recording did:
   * where a tool gives something else, the user says something else or the model is asked for something else, it throws
   * an error that names the entry, what was recorded and what came. An answer by text is given as its contract's JSON,
   * without the prose around it. Rejects with `TRACE_NOT_READABLE` for a trace that does not replay.
   */
  from(trace: TraceSource, options?: RecordedModelOptions): Promise<RecordedModel>;
}

const from = async (trace: TraceSource, options: RecordedModelOptions = {}): Promise<RecordedModel> => {
  const tasks = await readRecording(linesOf(trace));
  return { ...createRecordedModel(tasks, options), inputs: recordedInputs(tasks) };
};

export const scriptedModel: CreateScriptedModel = Object.assign((script: Script) => createScriptedModel(script), {
  from,
});
