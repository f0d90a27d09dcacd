import { ServiceError } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import type { Queries } from '../../lib/queries.ts';
import type { NewTurn, SessionImage } from '../image.ts';
import type { DecisionContext, InputOf, StoredFacts } from '../input.ts';
import { SessionDraft } from './session-draft.ts';
import { assertWithinLimits, assertWithinTurnQuota } from './within-limits.ts';

/**
 * Pauses the task whose question has expired by then (SPEC 6). Does nothing if the question was answered, or another
 * one was asked since.
 */
function* expireQuestion(draft: SessionDraft, at: number, facts: StoredFacts): Queries<void> {
  const { active, session } = draft.image;
  if (active?.task.state !== 'awaiting_user') return;
  const expiredAt = yield* facts.questionExpired(session.owner, active.task.context.task_id, at);
  if (expiredAt !== null) draft.apply({ type: 'question.expired', expired_at: iso(expiredAt) });
}

/**
 * Queues a goal's turn as if its owner had sent it, and returns null. If a limit or the quota refuses it, returns the
 * reason and changes nothing.
 */
function* queueGoal(
  draft: SessionDraft,
  before: SessionImage,
  turn: NewTurn,
  { turnsPerDay }: InputOf<'due'>,
  context: DecisionContext,
): Queries<string | null> {
  const trial = new SessionDraft(draft.image, context.now, draft.decision().changes);
  trial.addTurn(turn, 'queued');
  try {
    yield* assertWithinLimits(before, trial.decision(), context);
    yield* assertWithinTurnQuota(trial.decision(), turnsPerDay, context.facts);
  } catch (error) {
    if (error instanceof ServiceError && error.status === 429) return error.message;
    throw error;
  }
  draft.addTurn(turn, 'queued');
  return null;
}

/**
 * Takes everything due in the session: an expiring question, its reminders, and its goals, each of which becomes a
 * queued turn or is skipped (SPEC 8).
 */
export function* takeDue(draft: SessionDraft, input: InputOf<'due'>, context: DecisionContext): Queries<void> {
  const { at, upSince, turn_ids } = input;
  const { reminders, goals, facts, limits } = context;
  const before = draft.image;
  const { owner, session_id } = before.session;
  yield* expireQuestion(draft, at, facts);
  // They can come forever; at the trace limit of the session they are no longer recorded in it.
  const isFull = (): boolean => !before.isStored || draft.image.seq >= limits.session_entries;
  for (const event of yield* reminders.takeDueOf(before.session, at, upSince))
    if (!isFull()) draft.addSessionEvent(event);
  for (const [i, due] of (yield* goals.takeDueOf(before.session, at, upSince)).entries()) {
    if (isFull()) continue;
    const { id, goal, callback_url, late, isUnfinished } = due;
    const event = { type: 'goal.due', goal_id: id, goal, due_at: iso(due.due_at), late } as const;
    if (isUnfinished) {
      draft.addSessionEvent({ ...event, skipped: 'unfinished' });
      continue;
    }
    const turn_id = turn_ids[i]!;
    const turn: NewTurn = {
      owner,
      session_id,
      turn_id,
      isGoal: true,
      input: goal,
      by: { owner, via: 'schedule' },
      ...(callback_url !== null && { callback_url }),
    };
    const reason = yield* queueGoal(draft, before, turn, input, context);
    draft.addSessionEvent(
      reason === null ? { ...event, started_turn_id: turn_id } : { ...event, skipped: 'refused', reason },
    );
    if (reason === null) yield* goals.started(owner, id, turn_id);
  }
}
