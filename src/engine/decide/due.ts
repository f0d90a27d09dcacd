import { iso } from '../../lib/iso-time.ts';
import { type Asking, askOne } from '../../store/questions.ts';
import type { DecisionContext, InputOf } from '../session-input.ts';
import type { SessionDraft } from './session-draft.ts';

const EXPIRED = 'SELECT expires_at FROM tasks WHERE owner = @owner AND task_id = @task_id AND expires_at <= @at';

/** Pauses the task whose question has expired by then (SPEC 6); one that was answered, or asked another since, stays. */
function* expireQuestion(draft: SessionDraft, at: number): Asking<void> {
  const { active, session } = draft.image;
  if (active?.task.state !== 'awaiting_user') return;
  const { task_id } = active.task.context;
  const question = yield* askOne<{ expires_at: number }>(EXPIRED, { owner: session.owner, task_id, at });
  if (question !== null) draft.apply({ type: 'question.expired', expired_at: iso(question.expires_at) });
}

/** Takes what is due in the session: a question that expires, and its reminders. */
export function* takeDue(
  draft: SessionDraft,
  { at, upSince }: InputOf<'due'>,
  { reminders, limits }: DecisionContext,
): Asking<void> {
  const { session, isStored, seq } = draft.image;
  yield* expireQuestion(draft, at);
  const due = yield* reminders.takeDueOf(session, at, upSince);
  // They can come for ever: at the limits of the session's trace they are in it no more.
  if (isStored && seq < limits.session_entries) for (const event of due) draft.addSessionEvent(event);
}
