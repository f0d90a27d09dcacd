import { PlanRunRefused, parsePlanRun, type RunnablePlan, runnablePlan } from '../../commands/run-plan.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Queries } from '../../lib/queries.ts';
import { activityOf, type NewTurn } from '../image.ts';
import type { DecisionContext, IncomingTurn } from '../input.ts';
import { openTask, queueTask } from './open-task.ts';
import type { SessionDraft } from './session-draft.ts';
import { commandLanguage, controlMessages, refusal } from './task-controls.ts';

/** The plan that a turn runs. Throws `PlanRunRefused`. */
function* planOf(draft: SessionDraft, turn: NewTurn, rest: string): Queries<RunnablePlan> {
  const { owner, session_id } = draft.image.session;
  const language = turn.run === undefined ? commandLanguage(draft, turn.input) : 'en';
  const run = turn.run ?? parsePlanRun(rest, language);
  return yield* runnablePlan(run, { owner, session_id, language, metadata: turn.metadata ?? {} });
}

/** A request gets its error, and a command its reply. */
const refuse = (draft: SessionDraft, turn: NewTurn, error: PlanRunRefused): void => {
  if (turn.run === undefined) return draft.addTurn(turn, refusal(error.message));
  const isUnknown = error.errors[0]?.path === 'plan_id';
  throw isUnknown
    ? new ServiceError('PLAN_NOT_FOUND', error.message)
    : new ServiceError('INVALID_REQUEST', error.message, { errors: error.errors });
};

/**
 * `/plan run`: opens a task with a named plan's steps (SPEC 8, 10), now or after the one that runs. Refuses it while a
 * task waits for an answer, and where a placeholder has no value; then nothing starts.
 */
export function* runPlan(
  draft: SessionDraft,
  input: IncomingTurn,
  rest: string,
  { defaults }: DecisionContext,
): Queries<void> {
  const { turn, cameWhileRunning } = input;
  let runs: RunnablePlan;
  try {
    runs = yield* planOf(draft, turn, rest);
  } catch (error) {
    if (error instanceof PlanRunRefused) return refuse(draft, turn, error);
    throw error;
  }
  if (defaults.modelProblem !== null) throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem);
  const running = { ...input, turn: { ...turn, runs }, leftPlan: undefined };
  const activity = activityOf(draft.image);
  if (activity === 'free') return yield* openTask(draft, running, defaults);
  if (activity === 'running' || cameWhileRunning) {
    if (turn.on_busy === 'reject')
      throw new ServiceError(
        'TASK_RUNNING',
        'A task of this session is running; wait for it, or send on_busy "enqueue"',
      );
    return yield* queueTask(draft, running, defaults);
  }
  const { planWaits } = controlMessages(draft, turn.input);
  if (turn.run !== undefined) throw new ServiceError('EVENT_NOT_ACCEPTED', planWaits);
  draft.addTurn(turn, refusal(planWaits));
}
