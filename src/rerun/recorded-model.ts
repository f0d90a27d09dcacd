import type { Observation, TaskContext } from '../../contracts/task.ts';
import { plainLine } from '../../contracts/text.ts';
import type { ModelRequest } from '../models/port.ts';
import { createScriptedModel, ScriptExhausted, type ScriptedModel } from '../models/scripted.ts';
import { type RecordedReply, recordedReplies } from './recorded-replies.ts';
import type { RecordedModelOptions } from './recorded-run.ts';
import type { RecordedTask } from './recording.ts';

/** A run asks for something that its recording has not, or goes on otherwise than that did. */
export class RunDiverged extends Error {
  override name = 'RunDiverged';
  /** The entry of the recording where the run differs. */
  readonly seq: number;

  constructor(seq: number, text: string) {
    super(`the run differs from its recording at entry ${seq}: ${text}`);
    this.seq = seq;
  }
}

/** Longest input and result in a message, in characters. */
const SHOWN_CHARS_MAX = 300;

const shown = (text: string): string => JSON.stringify(plainLine(text, SHOWN_CHARS_MAX));

/** The recorded entry with the result of an effect. */
const seqOf = ({ entries }: RecordedTask, effect: number | undefined, otherwise: number): number =>
  entries.find(({ entry: { event } }) => 'effect' in event && event.effect === effect)?.entry.seq ?? otherwise;

const resultText = ({ ok, result }: Observation): string => `${ok ? '' : 'a failure, '}${shown(result)}`;

const compareObservations = (
  recorded: RecordedTask,
  { seq, task: then }: RecordedReply,
  now: TaskContext,
  ignore: readonly string[],
): void => {
  const count = Math.max(then.observations.length, now.observations.length);
  for (let i = 0; i < count; i++) {
    const [was, is] = [then.observations[i], now.observations[i]];
    const at = seqOf(recorded, was?.effect, seq);
    if (was === undefined || is === undefined || was.tool !== is.tool || was.input !== is.input) {
      const call = (seen: Observation | undefined): string =>
        seen === undefined ? 'none' : `${seen.tool} ${shown(seen.input)}`;
      throw new RunDiverged(at, `the call recorded here is ${call(was)}, and this run's is ${call(is)}`);
    }
    if ((was.ok === is.ok && was.result === is.result) || ignore.includes(was.tool)) continue;
    throw new RunDiverged(
      at,
      `${was.tool} ${shown(was.input)} gave ${resultText(was)} when it was recorded, and gives ${resultText(is)} now`,
    );
  }
};

/** The entry with the user's n-th answer or steer. */
const seqOfSaid = ({ entries }: RecordedTask, nth: number, otherwise: number): number =>
  entries.find(({ after }) => after.context.clarification_history.length > nth)?.entry.seq ?? otherwise;

const compareSaid = (recorded: RecordedTask, { seq, task: then }: RecordedReply, now: TaskContext): void => {
  const count = Math.max(then.clarification_history.length, now.clarification_history.length);
  for (let i = 0; i < count; i++) {
    const [was, is] = [then.clarification_history[i]?.text, now.clarification_history[i]?.text];
    if (was === is) continue;
    const said = (text: string | undefined): string => (text === undefined ? 'nothing' : shown(text));
    throw new RunDiverged(seqOfSaid(recorded, i, seq), `the user said ${said(was)}, and says ${said(is)} now`);
  }
};

/** Throws `RunDiverged` if a request is not the one that the recorded answer answered. */
const compare = (
  recorded: RecordedTask,
  reply: RecordedReply,
  { contract, task }: ModelRequest,
  ignore: readonly string[],
): void => {
  if (task.goal !== reply.task.goal)
    throw new RunDiverged(
      recorded.entries[0]!.entry.seq,
      `the goal was ${shown(reply.task.goal)}, and is ${shown(task.goal)} now`,
    );
  compareObservations(recorded, reply, task, ignore);
  compareSaid(recorded, reply, task);
  if (contract !== reply.contract)
    throw new RunDiverged(reply.seq, `the model was asked for a ${reply.contract}, and is asked for a ${contract} now`);
};

/**
 * A model that gives the answers of recorded tasks, in their order, as long as the run goes as the recording did: the
 * same goals, the same words of the user, the same calls and results of tools. Throws `RunDiverged` with the recorded
 * entry where they first differ, and at a request beyond the recording.
 */
export const createRecordedModel = (
  tasks: readonly RecordedTask[],
  { ignore = [] }: RecordedModelOptions = {},
): ScriptedModel => {
  const replies = tasks.flatMap((recorded) => recordedReplies(recorded).map((reply) => ({ recorded, reply })));
  const scripted = createScriptedModel(
    replies.map(({ recorded, reply }) => (request) => {
      compare(recorded, reply, request, ignore);
      return reply.reply instanceof Error ? reply.reply : { ...reply.reply };
    }),
  );
  const end = tasks.at(-1)?.entries.at(-1)?.entry.seq ?? 0;
  return {
    ...scripted,
    name: 'recorded',
    answer: async (request, signal) => {
      try {
        return await scripted.answer(request, signal);
      } catch (error) {
        if (!(error instanceof ScriptExhausted)) throw error;
        throw new RunDiverged(end, `no model was asked after it, and this run asks for a ${request.contract}`);
      }
    },
  };
};
