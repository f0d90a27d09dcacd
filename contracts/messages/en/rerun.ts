import type { Rating } from '../../feedback.ts';
import type { LaneEnd, RerunChange, RerunLaneName } from '../../rerun.ts';
import type { TaskState } from '../../task.ts';

/** Texts of `tripact rerun`. */
export const rerun = {
  columns: ['run', 'model', 'outcome', 'steps', 'calls', 'tools', 'tokens in', 'out', 'cost', 'refused'],
  sumColumns: ['run', 'model', 'the same', 'not the same', 'unknown', 'steps', 'calls', 'tools', 'tokens in', 'out'],
  sumCost: 'cost',
  lane: { recorded: 'recorded', again: 'again', candidate: 'candidate' } satisfies Record<RerunLaneName, string>,
  state: {
    planning: 'running',
    replanning: 'running',
    thinking: 'running',
    acting: 'running',
    verifying: 'running',
    awaiting_user: 'asking',
    paused: 'paused',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
  } satisfies Record<TaskState, string>,
  givenUp: 'given up',
  same: 'the same',
  sameInOtherWords: 'the same, in other words',
  other: (outcome: string) => `OTHER: ${outcome}`,
  otherAnswer: 'another answer',
  otherWrites: 'other calls that write',
  end: {
    unrecorded_call: 'a call that was not recorded',
    unrecorded_question: 'a question that was not recorded',
    unrecorded_check: 'a verification that was not recorded',
    unrecorded_edit: 'the recorded edit does not fit the plan',
    max_cost: 'stopped by --max-cost',
    quota: 'stopped by the quota',
    interrupted: 'stopped',
    failed: 'could not be run',
  } satisfies Record<LaneEnd['kind'], string>,
  endedAt: (why: string, what: string) => `ended: ${why}${what === '' ? '' : `: ${what}`}`,
  nthTime: (call: string, nth: number) => `${call}, time ${nth}`,
  differs: (entry: string, recorded: string, came: string) =>
    `first difference at entry ${entry}: recorded ${recorded}, came ${came}`,
  afterLast: 'after the last',
  nothing: 'nothing',
  reworded: (came: string, answer: string) => `asked in other words, and got the recorded answer ${answer}: ${came}`,
  rated: {
    up: 'a recorded reply was rated up',
    down: 'a recorded reply was rated down',
  } satisfies Record<Rating, string>,
  changed: (what: string, name: string, recorded: string, now: string) =>
    `since the recording: ${what} ${name}: ${recorded} → ${now}`,
  what: {
    machine: 'machine',
    model: 'model',
    tool: 'tool',
    executor: 'executor',
    limit: 'limit',
    skill: 'skill',
    files: 'file',
    agent: 'agent',
  } satisfies Record<RerunChange['what'], string>,
  none: 'none',
  progress: (done: number, all: number) => `${done} of ${all} runs`,
  stopping: 'Stopping; what has ended is shown. Ctrl-C again leaves at once',
};
