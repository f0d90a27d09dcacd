import type { TaskOpened } from '../../../contracts/event.ts';
import { PAUSED_GOAL_CHARS_MAX, type TaskContext } from '../../../contracts/task.ts';
import { languageOf, plainLine } from '../../../contracts/text.ts';
import { narrowed } from '../../../machines/context.ts';
import { ownPlanRejection, withOwnPlan } from '../../../machines/own-plan.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Queries } from '../../lib/queries.ts';
import { broughtBy, type OpenTurn, optionsOf } from '../image.ts';
import type { IncomingTurn, LeftPlan, TaskDefaults } from '../input.ts';
import { nextAgent } from './agents.ts';
import type { SessionDraft } from './session-draft.ts';
import { controlMessages, refusal } from './task-controls.ts';

/** The session's newest task if it is paused. */
export const newestPaused = (draft: SessionDraft): TaskContext | null => {
  const { recent } = draft.image;
  return recent?.state === 'paused' ? (draft.taskOf(recent.task_id)?.task.context ?? null) : null;
};

/** The question of a task that has expired; null: none. */
export const expiredQuestion = (paused: TaskContext | null): string | null =>
  paused?.pause_reason === 'question_expired' ? paused.last_ask_user_question : null;

/** The event that opens a task with a turn's input as its goal and the session's conversation (SPEC 2.7, 3). */
export function* openedBy(
  { turn_id, input, options, kind }: Pick<OpenTurn, 'turn_id' | 'input' | 'options'> & Partial<Pick<OpenTurn, 'kind'>>,
  task_id: string,
  draft: SessionDraft,
  defaults: TaskDefaults,
  left?: LeftPlan,
): Queries<TaskOpened> {
  const { image } = draft;
  const paused = newestPaused(draft);
  const expired_question = expiredQuestion(paused);
  const memory = yield* defaults.remembered(image.session.owner);
  const { confirm_plan, planning, conversation, tools } = options;
  const { replan = defaults.replan, chain = defaults.chain } = options;
  const { goal = input.trim(), plan } = options.runs ?? { goal: left?.goal, plan: options.plan };
  const agent = nextAgent(image, defaults.agents);
  const catalogue = narrowed(defaults.catalogue(agent), tools ?? null);
  const skills = defaults.skills(agent, catalogue);
  const opened: TaskOpened = {
    type: 'task.opened',
    task_id,
    session_id: image.session.session_id,
    turn_id,
    goal,
    language: languageOf(goal),
    limits: defaults.limits,
    catalogue,
    confirm_plan: confirm_plan ?? defaults.confirmPlan,
    planning: planning ?? defaults.planning,
    ...(replan === 'when_needed' && { replan }),
    ...(!chain && { chain }),
    verifies: defaults.verifies,
    conversation: conversation === false ? [] : [...image.conversation],
    ...(memory.length > 0 && { memory }),
    ...(expired_question !== null && { expired_question }),
    // A scheduled goal leaves no task behind and answers nothing.
    ...(paused !== null &&
      kind !== 'goal' && {
        paused_task: { task_id: paused.task_id, goal: plainLine(paused.goal, PAUSED_GOAL_CHARS_MAX) },
      }),
    ...(left !== undefined && { left_steps: left.steps }),
    ...(agent !== null && { agent }),
    ...(Object.keys(skills).length > 0 && { skills }),
    ...(tools !== undefined && { tools }),
    ...broughtBy({ ...options, expires_in: options.expires_in ?? defaults.questionExpiry ?? undefined }),
  };
  return plan === undefined ? opened : withOwnPlan(opened, plan);
}

/** Refuses a plan that its task could not take, also where the task opens later. */
const assertPlanTaken = (opened: TaskOpened): void => {
  const message = ownPlanRejection(opened);
  if (message === null) return;
  throw new ServiceError('INVALID_REQUEST', `The plan cannot be taken: ${message}`, {
    errors: [{ path: 'plan', message }],
  });
};

/** Opens the task of a turn. Throws `INVALID_REQUEST` for a plan that it cannot take. */
export function* openTask(
  draft: SessionDraft,
  { turn, task_id, leftPlan }: IncomingTurn,
  defaults: TaskDefaults,
): Queries<void> {
  if (leftPlan === 'not_text')
    return draft.addTurn(turn, refusal(controlMessages(draft, turn.input).leftPlanUnreadable));
  const opened = yield* openedBy({ ...turn, options: optionsOf(turn) }, task_id, draft, defaults, leftPlan);
  assertPlanTaken(opened);
  draft.openTask(opened);
  draft.addTurn(turn, 'running');
  draft.answerIfAsking();
}

/** Puts a turn into the queue. Refuses a plan now that its task could not take later. */
export function* queueTask(
  draft: SessionDraft,
  { turn, task_id }: IncomingTurn,
  defaults: TaskDefaults,
): Queries<void> {
  const options = optionsOf(turn);
  if (options.plan !== undefined || options.runs !== undefined)
    assertPlanTaken(yield* openedBy({ ...turn, options }, task_id, draft, defaults));
  draft.addTurn(turn, 'queued');
}
