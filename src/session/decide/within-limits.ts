import { nextMidnight } from '../../../contracts/access.ts';
import { CLARIFICATIONS_KEPT } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import { isEnded } from '../../../contracts/task.ts';
import { languageOf } from '../../../contracts/text.ts';
import { ServiceError } from '../../lib/errors.ts';
import { dayOf } from '../../lib/iso-time.ts';
import type { Queries } from '../../lib/queries.ts';
import type { Decision } from '../change.ts';
import { queuedTurns, type SessionImage } from '../image.ts';
import type { DecisionContext, StoredFacts } from '../input.ts';
import { countsAdded, type LimitedCount } from '../owner-counts.ts';

const TOO_LONG = 'This session has reached its maximum length; continue in a new one';

const refuse = (message: string): never => {
  throw new ServiceError('TOO_MANY_REQUESTS', message);
};

const joined = ({ turns }: SessionImage): number => turns.filter(({ task_id }) => task_id !== null).length;

const REFUSALS: Record<LimitedCount, (limit: number) => string> = {
  sessions: (limit: number) => `You have ${limit} sessions already; have old ones removed`,
  running_tasks: (limit: number) => `${limit} of your tasks run already; wait for one to finish`,
  unfinished_turns: (limit: number) => `${limit} of your turns wait or run already; wait for some to finish`,
  pending_callbacks: (limit: number) =>
    `${limit} of your turns have a callback still to come; wait for some to be posted`,
  tool_runs: (limit: number) => `${limit} tools are tried in your sessions already; wait for one to finish`,
};

/**
 * True if a task ends and none begins, as by a cancel. When storage is full no task can begin, so the number of these
 * is bounded.
 */
const isEnding = ({ changes }: Decision): boolean =>
  changes.some((change) => change.type === 'task.moved' && change.state !== 'running' && isEnded(change.state)) &&
  !changes.some(({ type }) => type === 'task.added');

/** Throws `TOO_MANY_REQUESTS` for an edit of a plan at the trace limit, as it adds to the trace. */
export const assertTraceMayGrow = ({ image }: Decision, limits: ServiceLimits): void => {
  if (image.seq > limits.session_entries) refuse(TOO_LONG);
};

/** Throws `TOO_MANY_REQUESTS` above the owner's limits. It reads the counts inside the commit, so no two commits pass a limit together; most decisions add to no count and read nothing. */
function* assertOwnerWithinLimits(
  before: SessionImage,
  decision: Decision,
  { limits, facts }: Pick<DecisionContext, 'limits' | 'facts'>,
): Queries<void> {
  const added = countsAdded(before, decision);
  const names = (Object.keys(REFUSALS) as LimitedCount[]).filter((name) => added[name] > 0);
  if (names.length === 0) return;
  const used = yield* facts.countsOf(before.session.owner, names, limits.sessions);
  for (const name of names) if (used[name] + added[name] > limits[name]) refuse(REFUSALS[name](limits[name]));
}

/** Throws `TOO_MANY_REQUESTS` above the limits of a session or owner (SPEC 11). Never refuses to end a task. */
export function* assertWithinLimits(
  before: SessionImage,
  decision: Decision,
  context: Pick<DecisionContext, 'limits' | 'facts'>,
): Queries<void> {
  const { limits } = context;
  const { image: after } = decision;
  const { session, seq } = after;
  const queue = queuedTurns(after).length;
  if (queue > queuedTurns(before).length && queue > limits.queued_turns)
    refuse(`${limits.queued_turns} turns of this session wait already; wait for one to finish, or cancel the task`);
  const isOpened = decision.changes.some(({ type }) => type === 'task.added');
  const isTooLong = session.turn_count > limits.session_turns || (isOpened && seq > limits.session_entries);
  if (isTooLong && !isEnding(decision)) refuse(TOO_LONG);
  if (before.open !== null && joined(after) > joined(before) && joined(after) > CLARIFICATIONS_KEPT + 1)
    refuse(`${CLARIFICATIONS_KEPT} inputs have joined this task already; wait for it to finish`);
  yield* assertOwnerWithinLimits(before, decision, context);
}

/**
 * Throws `QUOTA_EXHAUSTED` for a turn with a task above the owner's daily quota (SPEC 6). Checked inside the commit, so
 * it is exact; null: unlimited.
 */
export function* assertWithinTurnQuota(
  { changes, image, at }: Decision,
  turnsPerDay: number | null,
  facts: StoredFacts,
): Queries<void> {
  const added = changes.filter((change) => change.type === 'turn.added' && change.turn.kind !== 'command');
  const [first] = added;
  if (turnsPerDay === null || first?.type !== 'turn.added') return;
  const { owner } = image.session;
  if ((yield* facts.turnsOfDay(owner, dayOf(at))) + added.length <= turnsPerDay) return;
  const resetsAt = nextMidnight(at);
  const { turnsOfDay } = messages(image.active?.task.context.language ?? languageOf(first.turn.input)).replies;
  throw new ServiceError('QUOTA_EXHAUSTED', turnsOfDay(turnsPerDay, new Date(resetsAt).toISOString()), {
    retryAfterSeconds: Math.ceil((resetsAt - at) / 1_000),
  });
}
