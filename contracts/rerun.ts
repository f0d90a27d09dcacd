import { z } from 'zod';
import { NextAction, ShapedAnswer, TaskOutcome } from './answer.ts';
import { Feedback } from './feedback.ts';
import { Timezone } from './http.ts';
import { SessionId, TaskId } from './ids.ts';
import { PauseReason, TaskState } from './task.ts';
import { Amount, Cost, MODEL_NAME_CHARS_MAX, Usage } from './usage.ts';

/**
 * A lane of a rerun: the run as it was recorded, the same model again, and the candidate, which has another model or
 * other instructions.
 */
export const RerunLaneName = z.enum(['recorded', 'again', 'candidate']);
export type RerunLaneName = z.infer<typeof RerunLaneName>;

/** Why a lane ended before its task did. */
export const LaneEnd = z.object({
  /**
   * `unrecorded_call`: the recording has no such call of a tool, or nobody decided about it there; `unrecorded_question`:
   * its user was asked no such thing; `unrecorded_check`: it has no further result of the verifiers; `unrecorded_edit`: an edit
   * of the plan does not fit this one; `max_cost`, `quota`, `interrupted`: the rerun was stopped; `failed`: it could not be run.
   */
  kind: z.enum([
    'unrecorded_call',
    'unrecorded_question',
    'unrecorded_check',
    'unrecorded_edit',
    'max_cost',
    'quota',
    'interrupted',
    'failed',
  ]),
  /** The tool and input of a call or an action. */
  call: NextAction.optional(),
  /** Which call of this tool with this input it was, from 1. */
  nth: z.number().int().min(1).optional(),
  /** The question, or what is wrong. */
  text: z.string().optional(),
});
export type LaneEnd = z.infer<typeof LaneEnd>;

/** The place where a lane first goes on otherwise than the recording. */
export const FirstDifference = z.object({
  /** The recorded entry; null: the recording has ended there. */
  seq: z.number().int().nullable(),
  /** Its place among the task's entries in the lane, from 1; null: the lane has ended before it. */
  at: z.number().int().min(1).nullable(),
  /** The types of both events; null: there is none. */
  recorded_type: z.string().nullable(),
  came_type: z.string().nullable(),
  /** The field that differs, such as `next_action.input`; absent where the types differ, or there is no entry. */
  path: z.string().optional(),
  recorded: z.unknown().meta({ description: 'The recorded value of the field, or the whole event.' }),
  came: z.unknown().meta({ description: 'Its value in the lane, or the whole event.' }),
});
export type FirstDifference = z.infer<typeof FirstDifference>;

/** A question that the candidate put in other words, and got the recorded answer to. */
export const RewordedQuestion = z.object({ recorded: z.string(), came: z.string(), answer: z.string() });
export type RewordedQuestion = z.infer<typeof RewordedQuestion>;

/** The facts that decide whether two runs have the same outcome: how the task ended, its answer by its schema, and what it wrote. */
export const RunOutcome = z.object({
  state: TaskState,
  /** How an ended task ended. */
  outcome: TaskOutcome.nullable(),
  pause_reason: PauseReason.nullable(),
  /** Absent where the task has no `answer_schema`, or no answer. */
  answer: ShapedAnswer.optional(),
  /** The performed calls of tools that may change something, in order. */
  writes: z.array(NextAction),
});
export type RunOutcome = z.infer<typeof RunOutcome>;

/** The costs of a lane: of one task, or of all together. */
const LaneFigures = z.object({
  /** Budget steps. */
  steps: z.number().int(),
  /** Answers of models. */
  calls: z.number().int(),
  tool_calls: z.number().int(),
  usage: Usage,
  /** Absent where a price is not known. */
  cost: Cost.optional(),
  /** Answers that met no contract. */
  misses: z.number().int(),
});

/** One run of a task. */
export const RerunLane = z.object({
  lane: RerunLaneName,
  /** Null: the recording does not name it. */
  model: z.string().nullable(),
  ...RunOutcome.shape,
  /** Null: the task went on until it ended, or to where the recording ends. */
  ended: LaneEnd.nullable(),
  /** The answer's text; null: none. */
  response: z.string().nullable(),
  ...LaneFigures.shape,
  /** Whether its outcome is that of the recording; null: of the recording itself, and of a lane that was stopped. */
  same: z.boolean().nullable(),
  first_difference: FirstDifference.nullable(),
  reworded: z.array(RewordedQuestion),
  /** The trace of the lane, where it is kept. */
  trace: z.string().optional().meta({ description: 'The address of its trace.' }),
});
export type RerunLane = z.infer<typeof RerunLane>;

/** Something that was not the same when the task was recorded. The rerun has it as recorded, but for models and instructions. */
export const RerunChange = z.object({
  what: z.enum(['machine', 'model', 'tool', 'executor', 'limit', 'skill', 'files', 'agent']),
  name: z.string(),
  /** As it was recorded; null: it was not there. */
  recorded: z.string().nullable(),
  /** As it is now; null: it is not there any more. */
  now: z.string().nullable(),
});
export type RerunChange = z.infer<typeof RerunChange>;

/** A recorded task, with all its lanes. */
export const RerunTask = z.object({
  /** The file that its trace was read from; null: it was read from the service. */
  source: z.string().nullable(),
  session_id: SessionId,
  task_id: TaskId,
  goal: z.string(),
  opened_at: z.iso.datetime(),
  /** The user's feedback on the recorded replies; absent: none was given. */
  feedback: z.array(Feedback).optional(),
  changes: z.array(RerunChange),
  lanes: z.array(RerunLane),
});
export type RerunTask = z.infer<typeof RerunTask>;

/** The sums of a lane over all tasks. */
export const LaneSum = z.object({
  lane: RerunLaneName,
  models: z.array(z.string()),
  tasks: z.number().int(),
  same: z.number().int(),
  different: z.number().int(),
  /** Tasks whose lane was stopped before it came to an end. */
  unknown: z.number().int(),
  ...LaneFigures.shape,
});
export type LaneSum = z.infer<typeof LaneSum>;

/** The result of a rerun. */
export const RerunReport = z.object({
  /** Every lane of every task has the recorded outcome. */
  same: z.boolean(),
  sums: z.array(LaneSum),
  tasks: z.array(RerunTask),
});
export type RerunReport = z.infer<typeof RerunReport>;

/** Most tasks and recorded entries of one rerun over HTTP, and longest instructions of a candidate, in characters. */
export const RERUN_TASKS_MAX = 100;
export const RERUN_ENTRIES_MAX = 20_000;
const INSTRUCTIONS_CHARS_MAX = 16_000;

/** Most runs of a rerun at the same time over HTTP. */
const CONCURRENCY_MAX = 8;

const isOne = (...given: unknown[]): boolean => given.filter((each) => each !== undefined).length === 1;

/** The body of `POST /v1/reruns`: the tasks to run again, by their ids, their session or a trace, and the candidate. */
export const RerunRequest = z
  .strictObject({
    task_ids: z.array(TaskId).min(1).max(RERUN_TASKS_MAX).optional(),
    session_id: SessionId.optional(),
    trace: z
      .array(z.record(z.string(), z.unknown()))
      .min(1)
      .optional()
      .meta({ description: 'The entries of a trace, which need not be of this service.' }),
    model: z
      .string()
      .max(MODEL_NAME_CHARS_MAX)
      .optional()
      .meta({ description: 'The model of the candidate, written like TRIPACT_MODEL.' }),
    instructions: z
      .string()
      .max(INSTRUCTIONS_CHARS_MAX)
      .optional()
      .meta({ description: 'The instructions of the candidate.' }),
    live_reads: z
      .boolean()
      .default(false)
      .meta({ description: 'Tools that only read run for calls that were not recorded.' }),
    max_cost: Amount.optional().meta({ description: 'No model is asked any more once all runs have cost so much.' }),
    concurrency: z.number().int().min(1).max(CONCURRENCY_MAX).default(2),
    timezone: Timezone.optional(),
  })
  .refine(({ task_ids, session_id, trace }) => isOne(task_ids, session_id, trace), {
    error: 'needs one of "task_ids", "session_id" and "trace"',
    path: ['task_ids'],
  });
export type RerunRequest = z.infer<typeof RerunRequest>;

/** A rerun as lists show it. */
export const RerunSummary = z.object({
  id: z.string(),
  /** `stopped`: it was deleted, or the service stops; the report has what had ended. */
  state: z.enum(['running', 'done', 'stopped', 'failed']),
  created_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  /** Tasks that run again, and the goal of the first. */
  tasks: z.number().int(),
  goal: z.string(),
  /** Runs that have ended, and all of them. */
  runs: z.object({ done: z.number().int(), all: z.number().int() }),
  /** The candidate's model; null: that of each task. */
  model: z.string().nullable(),
  /** Why it failed. */
  reason: z.string().optional(),
  /** Absent until it is done. */
  same: z.boolean().optional(),
});
export type RerunSummary = z.infer<typeof RerunSummary>;

/** A rerun with its report; null while it runs. */
export const RerunView = RerunSummary.extend({ report: RerunReport.nullable() });
export type RerunView = z.infer<typeof RerunView>;
