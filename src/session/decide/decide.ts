import { messages } from '../../../contracts/messages/messages.ts';
import type { Queries } from '../../lib/queries.ts';
import type { Decision } from '../change.ts';
import { type SessionImage, toolTurns } from '../image.ts';
import type { DecisionContext, SessionInput } from '../input.ts';
import { runInside } from '../observation.ts';
import { answerFromPendingCalls } from './answer-from-pending-calls.ts';
import { takeDue } from './due.ts';
import { fork } from './fork.ts';
import { incomingTurn, nextQueued } from './incoming-turn.ts';
import { withOutbox } from './outbox.ts';
import { editPlanByFile, editTaskPlan } from './plan-edits.ts';
import { SessionDraft } from './session-draft.ts';
import { cancelTask, commandLanguage, refusal, removal, resultReply, supersede } from './task-controls.ts';
import { askedTool, takeResult } from './tool-calls.ts';
import { assertTraceMayGrow, assertWithinLimits, assertWithinTurnQuota } from './within-limits.ts';

/**
 * Decides what an input changes. Pure: it queries only owner data. Throws `NotLoaded`, `ServiceError` for a refused
 * input, and `EventNotAccepted`.
 */
export function* decide(image: SessionImage, input: SessionInput, context: DecisionContext): Queries<Decision> {
  const draft = new SessionDraft(image, context.now);
  switch (input.type) {
    case 'turn':
      yield* incomingTurn(draft, input, context);
      break;
    case 'queued_next':
      yield* nextQueued(draft, input, context);
      break;
    case 'effect_result':
      takeResult(draft, input.event, input.duration_ms);
      answerFromPendingCalls(draft, context);
      if ('usage' in input.event) draft.addUsage(input.event.usage, askedTool(draft.image));
      break;
    case 'effect_begun':
      draft.beginEffect();
      break;
    case 'effect_left':
      draft.leaveEffect();
      break;
    case 'effect_work':
      takeResult(draft, yield* runInside(context.tools, input));
      answerFromPendingCalls(draft, context);
      break;
    case 'late_result':
      supersede(draft, input);
      draft.addUsage(input.usage, null);
      break;
    case 'cancel':
      cancelTask(draft, input);
      break;
    case 'fork':
      fork(draft, input);
      break;
    case 'due':
      yield* takeDue(draft, input, context);
      break;
    case 'plan_edits':
      editTaskPlan(draft, input);
      break;
    case 'plan_file':
      editPlanByFile(draft, input);
      break;
    case 'session_opened':
      if (!image.isStored) draft.useSession();
      break;
    case 'tool_tried':
      draft.finishToolTurn(input.turn_id, resultReply(input.result));
      break;
    case 'tool_runs_lost':
      for (const { turn_id, input: text } of toolTurns(image))
        if (input.turn_ids.includes(turn_id)) {
          const { toolCalls } = messages(commandLanguage(draft, text));
          draft.finishToolTurn(turn_id, refusal(toolCalls.interrupted));
        }
      break;
    case 'removal':
      removal(draft, input);
      break;
    case 'owner_removed':
      if (image.isStored) draft.removeSession(input.hashes);
      break;
    default:
      input satisfies never;
  }
  const decision = withOutbox(draft.decision(), context.hasWebhook);
  const isNew = input.type === 'session_opened' && !image.isStored;
  if (input.type === 'plan_edits' || input.type === 'plan_file') assertTraceMayGrow(decision, context.limits);
  if (input.type === 'turn' || input.type === 'fork' || isNew) yield* assertWithinLimits(image, decision, context);
  if (input.type === 'turn' || input.type === 'fork')
    yield* assertWithinTurnQuota(decision, input.turnsPerDay, context.facts);
  return decision;
}
