import { type InputRoute, routeInput } from '../../../machines/route-input.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Asking } from '../../store/questions.ts';
import { activityOf, queuedTurns } from '../session-image.ts';
import type { IncomingTurn } from '../session-input.ts';
import { decideAction } from './action-decision.ts';
import { assertAsked } from './asked-question.ts';
import { commandLanguage, controlMessages } from './command-language.ts';
import type { DecisionContext } from './decision-context.ts';
import { openedBy } from './open-task.ts';
import { editPlan } from './plan-edits.ts';
import { commandReply } from './replies.ts';
import type { SessionDraft } from './session-draft.ts';
import { cancel, continuePaused, resume } from './task-controls.ts';

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

/** A slash command (SPEC 8): its turn is stored answered, and every task stays as it was. */
function* command(
  draft: SessionDraft,
  { turn }: IncomingTurn,
  { name, rest }: Extract<InputRoute, { kind: 'command' }>,
  { commands, now }: DecisionContext,
): Asking<void> {
  const { session, active, recent } = draft.image;
  const task = active?.task ?? (recent === null ? null : (draft.taskOf(recent.task_id)?.task ?? null));
  const output = yield* commands.run(name, rest, {
    owner: session.owner,
    session_id: session.session_id,
    now,
    timezone: turn.timezone ?? session.timezone,
    language: commandLanguage(draft, turn.input),
    task,
    queued: queuedTurns(draft.image).length,
  });
  draft.addTurn(turn, typeof output === 'string' ? commandReply(output) : output);
}

/** A steer joins the running task; where that was settled meanwhile, or only queued turns wait, it queues like any input. */
const steer = (draft: SessionDraft, { turn }: IncomingTurn): void => {
  if (draft.image.open === null) return draft.addTurn(turn, 'queued');
  draft.addTurn(turn, 'running');
  draft.apply({ type: 'steer.received', turn_id: turn.turn_id, text: turn.input });
};

/** Takes an input to where SPEC 2 sends it. Throws a `ServiceError` for one that is refused, and then nothing of it is stored. */
export function* incomingTurn(draft: SessionDraft, input: IncomingTurn, context: DecisionContext): Asking<void> {
  const { turn, cameWhileRunning } = input;
  const { defaults } = context;
  assertAsked(draft, input);
  if (turn.decision !== undefined) {
    if (defaults.modelProblem !== null) throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem);
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
    onBusy: turn.on_busy ?? 'enqueue',
  });
  switch (route.kind) {
    case 'control':
      return control(draft, input, route);
    case 'command':
      return yield* command(draft, input, route, context);
    case 'no_model':
      throw new ServiceError('MODEL_NOT_CONFIGURED', defaults.modelProblem ?? 'No model is configured');
    case 'reject':
      throw new ServiceError(
        'TASK_RUNNING',
        'A task of this session is running; wait for it, or send on_busy "enqueue" or "steer"',
      );
    case 'enqueue':
      return draft.addTurn(turn, 'queued');
    case 'steer':
      return steer(draft, input);
    case 'answer':
      draft.addTurn(turn, 'running');
      draft.apply({ type: 'answer.received', turn_id: turn.turn_id, text: turn.input });
      return;
    case 'resume':
      return resume(draft, turn, '');
    case 'nothing_to_continue':
      return draft.addTurn(turn, commandReply(controlMessages(draft, turn.input).nothingToResume));
    case 'open':
      draft.openTask(openedBy(turn, input.task_id, draft.image, defaults));
      draft.addTurn(turn, 'running');
      return draft.answerIfAsking();
    default:
      return route satisfies never;
  }
}
