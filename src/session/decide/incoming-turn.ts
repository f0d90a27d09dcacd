import { ApprovalDecision } from '../../../contracts/event.ts';
import { effectId } from '../../../contracts/ids.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { pendingAction } from '../../../machines/approvals.ts';
import { isContinuePhrase } from '../../../machines/phrases.ts';
import { type InputRoute, routeInput } from '../../../machines/route-input.ts';
import { signInAsked } from '../../../machines/tool-questions.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Queries } from '../../lib/queries.ts';
import { approvalAnswer, questionId } from '../../projections/question.ts';
import { taskView } from '../../projections/task-view.ts';
import { activityOf, broughtBy, deciderOf, type NewTurn, queuedTurns } from '../image.ts';
import type { DecisionContext, IncomingTurn, InputOf } from '../input.ts';
import { chosenAgent, goneAgent, nextAgent, takeAgent } from './agents.ts';
import { assertApprover, refusedWords } from './approvers.ts';
import { expiredQuestion, newestPaused, openedBy, openTask, queueTask } from './open-task.ts';
import { editPlan } from './plan-edits.ts';
import { runPlan } from './run-plan.ts';
import type { SessionDraft } from './session-draft.ts';
import {
  cancel,
  commandLanguage,
  continuePaused,
  controlMessages,
  refusal,
  resultReply,
  resume,
} from './task-controls.ts';

/** Refuses a plan in a turn that opens no task: it would be lost. */
const assertMayBringPlan = ({ kind }: InputRoute): void => {
  if (kind === 'control' || kind === 'command' || kind === 'plan_run')
    throw new ServiceError('INVALID_REQUEST', 'A "plan" needs a goal as its "input", not a command');
  if (kind === 'answer' || kind === 'steer' || kind === 'resume')
    throw new ServiceError(
      'EVENT_NOT_ACCEPTED',
      'A "plan" opens a task, and this turn would go to the task that is open; end that first, or use another session',
    );
};

/** Refuses an answer to a question that is not open, so that it never answers another one. */
const assertAsked = (draft: SessionDraft, { turn, cameWhileRunning }: IncomingTurn): void => {
  const answers = turn.answers ?? turn.decision?.approval;
  if (answers === undefined) return;
  const { image } = draft;
  const { active } = image;
  const waits = active !== null && !cameWhileRunning && activityOf(image) === 'waiting';
  if (waits && questionId(taskView(active.task)) === answers) return;
  const { expired, notOpen } = messages(commandLanguage(draft, turn.input)).questions;
  throw new ServiceError('QUESTION_NOT_OPEN', expiredQuestion(newestPaused(draft)) === null ? notOpen : expired);
};

/** Lets the call go on that waits for this sign-in. Refuses one that nothing waits for. */
const takeSignIn = (draft: SessionDraft, { turn }: IncomingTurn, signed: NonNullable<NewTurn['signed_in']>): void => {
  const context = draft.image.active?.task.context;
  const { tool_question } = context ?? { tool_question: null };
  const isAsked = context !== undefined && signInAsked(context) === signed.server;
  if (!isAsked || effectId(context.task_id, tool_question?.effect ?? 0) !== signed.effect_id)
    throw new ServiceError('QUESTION_NOT_OPEN', 'No call of this session waits for that sign-in');
  draft.addTurn(turn, 'running');
  const { server: signed_in } = signed;
  draft.apply({ type: 'answer.received', turn_id: turn.turn_id, text: turn.input, signed_in, ...broughtBy(turn) });
};

/** Answers the task's question by words. Those of somebody who may not decide about its action change nothing. */
const answerByWords = (draft: SessionDraft, turn: NewTurn): void => {
  const { active } = draft.image;
  const refused = active === null ? null : refusedWords(active.task.context, turn);
  if (refused !== null) return draft.addTurn(turn, refusal(refused));
  draft.addTurn(turn, 'running');
  draft.apply({ type: 'answer.received', turn_id: turn.turn_id, text: turn.input, ...broughtBy(turn) });
};

/**
 * Applies the approver's answer to the pending action (SPEC 3, 11). Throws `NOT_AN_APPROVER`, and `NO_APPROVAL_PENDING`, also for an answer that arrived
 * before the action was asked about.
 */
const decideAction = (
  draft: SessionDraft,
  { turn, cameWhileRunning }: IncomingTurn,
  decision: NonNullable<NewTurn['decision']>,
): void => {
  const { active } = draft.image;
  const isRunning = cameWhileRunning || activityOf(draft.image) === 'running';
  if (isRunning || active === null || pendingAction(active.task.context) === null)
    throw new ServiceError(
      'NO_APPROVAL_PENDING',
      'No action of this session waits for approval; send an "input" instead',
    );
  assertApprover(active.task.context, turn);
  draft.addTurn({ ...turn, input: approvalAnswer(decision, active.task.context.language) }, 'running');
  draft.apply({
    type: 'decision.received',
    turn_id: turn.turn_id,
    decision: ApprovalDecision.parse(decision),
    ...broughtBy(turn),
  });
};

/** Takes the next turn from the queue of a free session: it resumes a paused task or opens its own (SPEC 2.6, 2.7). */
export function* nextQueued(
  draft: SessionDraft,
  { task_id }: InputOf<'queued_next'>,
  { defaults }: DecisionContext,
): Queries<void> {
  const [next] = queuedTurns(draft.image);
  if (next === undefined || draft.image.active !== null) return;
  const mayResume = next.kind !== 'goal' && next.options.plan === undefined && isContinuePhrase(next.input);
  const pausedId = mayResume ? draft.lastPaused() : null;
  if (pausedId !== null) {
    draft.activate(pausedId);
    draft.bindQueued(next.turn_id);
    draft.apply({ type: 'task.resumed', turn_id: next.turn_id, ...broughtBy(next.options) });
  } else {
    draft.openTask(yield* openedBy(next, task_id, draft, defaults));
    draft.bindQueued(next.turn_id);
    draft.answerIfAsking();
  }
}

const control = (
  draft: SessionDraft,
  { turn }: IncomingTurn,
  route: Extract<InputRoute, { kind: 'control' }>,
): void => {
  switch (route.control) {
    case 'cancel':
      return cancel(draft, turn);
    case 'continue':
      return continuePaused(draft, turn);
    case 'resume':
      return resume(draft, turn, route.rest.trim());
    case 'plan':
      return editPlan(draft, turn, route.rest);
    default:
      return route.control satisfies never;
  }
};

/** A slash command (SPEC 8): stores its turn as answered and changes no task. */
function* command(
  draft: SessionDraft,
  { turn }: IncomingTurn,
  { name, rest }: Extract<InputRoute, { kind: 'command' }>,
  { commands, defaults, now }: DecisionContext,
): Queries<void> {
  const { session, active, recent } = draft.image;
  const task = active?.task ?? (recent === null ? null : (draft.taskOf(recent.task_id)?.task ?? null));
  const result = yield* commands.run(name, rest, {
    owner: session.owner,
    session_id: session.session_id,
    now,
    timezone: turn.timezone ?? session.timezone,
    language: commandLanguage(draft, turn.input),
    metadata: turn.metadata ?? {},
    command: { callback_url: turn.callback_url },
    agent: nextAgent(draft.image, defaults.agents),
    isAgentChosen: chosenAgent(draft.image, defaults.agents) !== null,
    decider: deciderOf(turn),
    task,
    queued: queuedTurns(draft.image).length,
  });
  draft.addTurn(turn, 'tool' in result ? result : resultReply(result));
}

/**
 * A steer joins the running task. If that has settled meanwhile, or only queued turns wait, it is queued like any
 * input.
 */
const steer = (draft: SessionDraft, { turn }: IncomingTurn): void => {
  if (draft.image.open === null) return draft.addTurn(turn, 'queued');
  draft.addTurn(turn, 'running');
  draft.apply({ type: 'steer.received', turn_id: turn.turn_id, text: turn.input, ...broughtBy(turn) });
};

/** Without its agent a session still takes commands and a cancel. */
const needsAgent = (route: InputRoute): boolean =>
  route.kind !== 'command' && !(route.kind === 'control' && (route.control === 'cancel' || route.control === 'plan'));

/** Routes an input as SPEC 2 says. Throws a `ServiceError` for a refused input; then nothing of it is stored. */
export function* incomingTurn(draft: SessionDraft, input: IncomingTurn, context: DecisionContext): Queries<void> {
  const { turn, cameWhileRunning } = input;
  const { defaults } = context;
  takeAgent(draft, turn, defaults.agents);
  assertAsked(draft, input);
  const gone = goneAgent(draft, turn, defaults.agents);
  if (turn.signed_in !== undefined) return takeSignIn(draft, input, turn.signed_in);
  if (turn.decision !== undefined) {
    if (defaults.modelProblem !== null) throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem);
    if (gone !== null) throw new ServiceError('EVENT_NOT_ACCEPTED', gone);
    return decideAction(draft, input, turn.decision);
  }
  const activity = activityOf(draft.image);
  const route = routeInput(turn.input, {
    activity: cameWhileRunning && activity === 'waiting' ? 'running' : activity,
    get isTaskPaused() {
      return draft.lastPaused() !== null;
    },
    hasConversation: draft.image.conversation.length > 0,
    isModelConfigured: defaults.modelProblem === null,
    commands: context.commands.names,
    onBusy: turn.on_busy ?? 'enqueue',
  });
  if (turn.plan !== undefined) assertMayBringPlan(route);
  if (gone !== null && needsAgent(route)) return draft.addTurn(turn, refusal(gone));
  switch (route.kind) {
    case 'control':
      return control(draft, input, route);
    case 'command':
      return yield* command(draft, input, route, context);
    case 'plan_run':
      return yield* runPlan(draft, input, route.rest, context);
    case 'no_model':
      throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem ?? 'No model is configured');
    case 'reject':
      throw new ServiceError(
        'TASK_RUNNING',
        'A task of this session is running; wait for it, or send on_busy "enqueue" or "steer"',
      );
    case 'enqueue':
      return yield* queueTask(draft, input, defaults);
    case 'steer':
      return steer(draft, input);
    case 'answer':
      return answerByWords(draft, turn);
    case 'resume':
      return resume(draft, turn, '');
    case 'nothing_to_continue':
      if (input.leftPlan !== undefined || turn.plan !== undefined) return yield* openTask(draft, input, defaults);
      return draft.addTurn(turn, refusal(controlMessages(draft, turn.input).nothingToResume));
    case 'open':
      return yield* openTask(draft, input, defaults);
    default:
      return route satisfies never;
  }
}
