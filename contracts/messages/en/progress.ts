import type { PauseReason, TaskState } from '../../task.ts';

/** The decision of a thought, without its reasoning. */
export type NextMove = 'act' | 'act_if_approved' | 'ask' | 'done' | 'give_up';

/** A task's progress: items done of all items, tool actions by outcome, steps used of the limit. */
export interface TaskCounts {
  done: number;
  total: number;
  ok: number;
  failed: number;
  steps: number;
  limit: number;
}

const counted = ({ done, total, ok, failed, steps, limit }: TaskCounts): string =>
  `${done} of ${total} items, ${ok} ok, ${failed} failed, ${steps} of ${limit} steps`;

const items = (count: number): string => (count === 1 ? '1 item' : `${count} items`);

/** The lines of progress (SPEC 11). */
export const progress = {
  plan: (count: number) => (count === 0 ? 'Plan made: no items, nothing to do first' : `Plan made: ${items(count)}`),
  replan: (count: number) => `Replanned: ${items(count)}`,
  listed: (heading: string, list: string) => `${heading}: ${list}`,
  unchanged: (heading: string) => `${heading}, unchanged`,
  goalAsPlan: 'No plan could be used, so the goal itself is the plan',
  note: (text: string) => `Note: ${text}`,
  item: (position: number, total: number, step: string) => `Item ${position}/${total}: ${step}`,
  decision: {
    act: 'Decision: use a tool',
    act_if_approved: 'Decision: use a tool, if you approve',
    ask: 'Decision: ask you',
    done: 'Decision: done',
    give_up: 'Decision: give the item up and replan',
  } satisfies Record<NextMove, string>,
  action: (tool: string, input: string) => `Action: ${tool} -> ${input}`,
  result: (ok: boolean, text: string) => `Result: ${ok ? 'ok' : 'failed'}: ${text}`,
  resultOf: (tool: string, input: string, ok: boolean, text: string) =>
    `Result of ${tool} -> ${input}: ${ok ? 'ok' : 'failed'}: ${text}`,
  repeatedAction: 'The same action gave the same result again; that counts as a failure',
  planRejected: (attempt: number) => `The model's plan could not be used (attempt ${attempt})`,
  thoughtRejected: (inARow: number) => `The model's decision could not be used (failure ${inARow} in a row)`,
  replanRejected: (inARow: number) => `The model's replan could not be used (${inARow} in a row)`,
  deadlock: (count: number) => `Deadlock: ${items(count)} left and none can run, because of what they wait for`,
  verifying: 'Verifying what was written',
  verified: (ok: boolean, text: string) => (ok ? 'Verification: ok' : `Verification: failed: ${text}`),
  question: (text: string) => `Question: ${text}`,
  answer: (text: string) => `Your answer: ${text}`,
  expired: (question: string) =>
    `This is a new task, because nobody answered in time: ${question} "continue" asks again`,
  steer: (text: string) => `Your message will be used at the next replan: ${text}`,
  planEdited: (count: number) => `Plan edited, ${items(count)} to do`,
  resumed: ({ done, total, steps, limit }: TaskCounts, next: string) =>
    `Resumed: ${done} of ${total} items done, next: ${next}, ${steps} of ${limit} steps`,
  nextIsPlan: 'make a plan',
  nextIsReplan: 'replan',
  superseded: 'A result came too late and was ignored',
  steered: 'The answer was ready, but your message since then comes first',
  answering: 'The answer is ready',
  unusable: "The model's answer could not be used",
  youEdited: 'You edited the plan',
  youResumed: 'You resumed the task',
  youCancelled: 'You cancelled the task',
  finished: (counts: TaskCounts) => `Finished: ${counted(counts)}`,
  gaveUp: (counts: TaskCounts) => `Gave up: ${counted(counts)}`,
  paused: (reason: string, counts: TaskCounts) => `Paused (${reason}): ${counted(counts)}`,
  failed: (counts: TaskCounts) => `Failed, all steps are used: ${counted(counts)}`,
  cancelled: (counts: TaskCounts) => `Cancelled: ${counted(counts)}`,
  pause: {
    step_limit: 'step limit reached',
    model_unavailable: 'the model gave no answer',
    contract_failure: 'replans could not be used',
    deadlock: 'no item can run',
    verification_failed: 'verification failed',
    replan_limit: 'replan limit reached',
    crash_loop: 'an action was interrupted again and again',
    machine_changed: 'the service was updated',
    budget_exhausted: 'the budget is used up',
    question_expired: 'nobody answered the question in time',
  } satisfies Record<PauseReason, string>,
};

/** The headings and states of `MISSION.md` (SPEC 10). */
export const missionFile = {
  title: (state: string, steps: string) => `Mission: ${state}, ${steps}`,
  goal: 'Goal',
  plan: 'Plan',
  noPlan: 'No plan yet.',
  decisions: 'Log of decisions',
  earlier: (count: number) => `${count} earlier ones are in the trace`,
  questions: 'Open questions',
  none: 'None.',
  steps: (used: number, limit: number) => `${used} of ${limit} steps`,
  state: {
    planning: 'planning',
    replanning: 'replanning',
    thinking: 'deciding',
    acting: 'acting',
    verifying: 'verifying',
    awaiting_user: 'waiting for your answer',
    paused: 'paused',
    done: 'done',
    failed: 'failed',
    cancelled: 'cancelled',
  } satisfies Record<TaskState, string>,
};
