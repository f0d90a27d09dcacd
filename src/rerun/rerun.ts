/**
 * A rerun runs recorded tasks again, in lanes: the run as it was recorded, the same model again, and a candidate with
 * another model or other instructions. Tools, verifiers and users answer as recorded, so the lanes differ only in what the
 * model says. Nothing of an owner's data is read or written, and no tool that writes ever runs.
 */
import type {
  LaneEnd,
  LaneSum,
  RerunChange,
  RerunLane,
  RerunLaneName,
  RerunReport,
  RerunTask,
} from '../../contracts/rerun.ts';
import { isSettled, type TaskContext } from '../../contracts/task.ts';
import { addCosts, addUsage, NO_USAGE } from '../../contracts/usage.ts';
import { messageOf, ServiceError } from '../lib/errors.ts';
import type { Model } from '../models/port.ts';
import { changesSince, recordedModels } from './changes.ts';
import { firstDifference } from './differences.ts';
import { runLane } from './lane.ts';
import type { Budget } from './lane-model.ts';
import { isSameOutcome, measureRun } from './outcome.ts';
import type { KeepTrace, Lab } from './port.ts';
import type { RecordedTask } from './recording.ts';

/** A task to run again, and the file that its trace was read from; null: the service's own. */
export interface RerunSource {
  readonly source: string | null;
  readonly recorded: RecordedTask;
  /** A recording of the same task whose tools answer in place of its own. */
  readonly answers?: RecordedTask;
}

/**
 * A recorded task to run again. Throws `TRACE_NOT_READABLE` for one that runs at the end of its trace: it has no outcome
 * yet.
 */
export const rerunSource = (recorded: RecordedTask, source: string | null): RerunSource => {
  if (isSettled(recorded.entries.at(-1)!.after.state)) return { source, recorded };
  const { task_id } = recorded.opened;
  throw new ServiceError(
    'TRACE_NOT_READABLE',
    `The task ${task_id} still runs at the end of its trace: it has no outcome to compare`,
  );
};

/** The model of a lane, and how it differs from that of the recording. */
export interface ChosenModel {
  readonly model: Model;
  readonly change: RerunChange | null;
}

/** A lane with another model or other instructions. */
export interface Candidate {
  /** Null: that of the lane `again`. */
  readonly model: Model | null;
  /** Null: those of the task's agent. */
  readonly instructions: string | null;
}

/** How tasks are run again. */
export interface RerunOptions {
  readonly sources: readonly RerunSource[];
  readonly lab: Lab;
  /** The model of a recorded task as it is today; `recorded`: the names that its answers have. */
  again(task: TaskContext, recorded: readonly string[]): Promise<ChosenModel>;
  readonly candidate: Candidate | null;
  readonly liveReads: boolean;
  readonly budget: Budget;
  /** The zone in which models and tools see the recorded times, IANA. */
  readonly timezone: string;
  /** Lanes that run at the same time. */
  readonly concurrency: number;
  readonly signal: AbortSignal;
  /** A lane has ended: so many of all. */
  progress?(done: number, all: number): void;
  keepTrace?: KeepTrace;
}

const STOPPED: readonly LaneEnd['kind'][] = ['max_cost', 'quota', 'interrupted', 'failed'];

const recordedLane = ({ entries, ...recorded }: RecordedTask): RerunLane => ({
  lane: 'recorded',
  model: recordedModels({ entries, ...recorded }).join(', ') || null,
  ...measureRun(
    entries.map(({ entry }) => entry),
    entries.at(-1)!.after,
  ),
  ended: null,
  same: null,
  first_difference: null,
  reworded: [],
});

/** A lane that could not be run at all. */
const failedLane = (
  lane: RerunLaneName,
  model: string | null,
  { entries }: RecordedTask,
  error: unknown,
): RerunLane => ({
  lane,
  model,
  ...measureRun([], entries[0]!.after),
  ended: { kind: 'failed', text: messageOf(error) },
  same: null,
  first_difference: null,
  reworded: [],
});

/** A lane to run. */
interface Job {
  readonly task: RerunTask;
  readonly recorded: RecordedTask;
  readonly answers: RecordedTask;
  readonly lane: Exclude<RerunLaneName, 'recorded'>;
}

const sumOf = (lane: RerunLaneName, lanes: readonly RerunLane[]): LaneSum => {
  const total = (of: (each: RerunLane) => number): number => lanes.reduce((sum, each) => sum + of(each), 0);
  const costs = lanes.map(({ cost = null }) => cost);
  const cost = costs.length === 0 ? null : costs.reduce((one, other) => one && other && addCosts(one, other));
  return {
    lane,
    models: [...new Set(lanes.flatMap(({ model }) => model ?? []))],
    tasks: lanes.length,
    same: total(({ same }) => Number(same === true)),
    different: total(({ same }) => Number(same === false)),
    unknown: lane === 'recorded' ? 0 : total(({ same }) => Number(same === null)),
    steps: total(({ steps }) => steps),
    calls: total(({ calls }) => calls),
    tool_calls: total(({ tool_calls }) => tool_calls),
    usage: lanes.map(({ usage }) => usage).reduce(addUsage, NO_USAGE),
    ...(cost !== null && { cost }),
    misses: total(({ misses }) => misses),
  };
};

const reportOf = (tasks: RerunTask[], names: readonly RerunLaneName[]): RerunReport => {
  const sums = names.map((name) =>
    sumOf(
      name,
      tasks.flatMap(({ lanes }) => lanes.filter(({ lane }) => lane === name)),
    ),
  );
  const same = sums.every(({ different, unknown }) => different + unknown === 0);
  return { same, sums, tasks };
};

/** Works on a list, so many at a time, in its order. */
const inParallel = async <Each>(all: readonly Each[], atOnce: number, work: (each: Each) => Promise<void>) => {
  const left = [...all];
  const next = async (): Promise<void> => {
    for (let each = left.shift(); each !== undefined; each = left.shift()) await work(each);
  };
  await Promise.all(Array.from({ length: Math.min(atOnce, all.length) }, next));
};

/**
 * Runs recorded tasks again and compares. Never rejects for what a model or a lane does: a lane that could not be run says so.
 * `signal` ends all lanes; the report then has what is there.
 */
export const rerun = async (options: RerunOptions): Promise<RerunReport> => {
  const { sources, lab, again, candidate, signal, concurrency } = options;
  const names: RerunLaneName[] = ['recorded', 'again', ...(candidate === null ? [] : ['candidate' as const])];
  const tasks = sources.map(({ source, recorded }): RerunTask => {
    const { opened, entries } = recorded;
    const { session_id, task_id, goal } = opened;
    const opened_at = entries[0]!.entry.at;
    return {
      source,
      session_id,
      task_id,
      goal,
      opened_at,
      ...(recorded.feedback.length > 0 && { feedback: [...recorded.feedback] }),
      changes: changesSince(recorded, lab),
      lanes: [recordedLane(recorded)],
    };
  });
  const jobs = tasks.flatMap((task, i) =>
    names.flatMap((lane): Job[] =>
      lane === 'recorded'
        ? []
        : [{ task, lane, recorded: sources[i]!.recorded, answers: sources[i]!.answers ?? sources[i]!.recorded }],
    ),
  );

  const ran = async ({ task, recorded, answers, lane }: Job, nth: number): Promise<RerunLane> => {
    const chosen = await again(recorded.entries[0]!.after.context, recordedModels(recorded));
    if (lane === 'again' && chosen.change !== null) task.changes.push(chosen.change);
    const own = lane === 'candidate' ? candidate : null;
    const model = own?.model ?? chosen.model;
    try {
      const {
        entries,
        task: end,
        ended,
        reworded,
      } = await runLane(
        { ...options, recorded, answers, model, instructions: own?.instructions ?? null },
        lab,
        `lane-${nth}`,
      );
      options.keepTrace?.(task.task_id, lane, entries);
      const then = recorded.entries.map(({ entry }) => entry);
      const measured = measureRun(entries, end);
      const isStopped = ended !== null && STOPPED.includes(ended.kind);
      const isSame = ended === null && isSameOutcome(measureRun(then, recorded.entries.at(-1)!.after), measured);
      return {
        lane,
        model: model.name,
        ...measured,
        ended,
        same: isStopped ? null : isSame,
        first_difference: firstDifference(then, entries),
        reworded: [...reworded],
      };
    } catch (error) {
      return failedLane(lane, model.name, recorded, error);
    }
  };

  let done = 0;
  await inParallel([...jobs.entries()], concurrency, async ([nth, job]) => {
    if (signal.aborted) return;
    job.task.lanes.push(await ran(job, nth));
    done += 1;
    options.progress?.(done, jobs.length);
  });
  for (const { lanes } of tasks) lanes.sort((one, other) => names.indexOf(one.lane) - names.indexOf(other.lane));
  return reportOf(tasks, names);
};
