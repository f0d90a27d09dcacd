import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import { isEnded } from '../../../machines/is-settled.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { Decision } from '../change.ts';
import { countsOf } from '../owner-counts.ts';
import { queuedTurns, type SessionImage, toolTurns } from '../session-image.ts';
import type { DecisionContext } from './decision-context.ts';

type Bounds = Pick<DecisionContext, 'limits' | 'used'>;

const TOO_LONG = 'This session is as long as one may be; go on in a new one';

const refuse = (message: string): never => {
  throw new ServiceError('TOO_MANY_REQUESTS', message);
};

const refuseQueue = (before: SessionImage, after: SessionImage, limits: ServiceLimits): void => {
  const queue = queuedTurns(after);
  if (queue.length <= queuedTurns(before).length) return;
  if (queue.length > limits.queued_turns)
    refuse(`${limits.queued_turns} turns of this session wait already; wait for one to finish, or cancel the task`);
};

const joined = ({ turns }: SessionImage): number => turns.filter(({ task_id }) => task_id !== null).length;

const refuseOwner = (before: SessionImage, decision: Decision, { limits, used }: Bounds): void => {
  const added = countsOf(before, decision);
  const isOver = (count: keyof typeof added & keyof ServiceLimits): boolean =>
    added[count] > 0 && used[count] + added[count] > limits[count];
  if (isOver('sessions')) refuse(`You have ${limits.sessions} sessions already; have old ones removed`);
  if (isOver('running_tasks')) refuse(`${limits.running_tasks} of your tasks run already; wait for one to finish`);
  if (isOver('forks')) refuse(`You have ${limits.forks} forks already; have old sessions removed`);
  if (isOver('pending_callbacks'))
    refuse(`${limits.pending_callbacks} of your turns have a callback still to come; wait for some to be posted`);
  if (isOver('owner_tool_runs'))
    refuse(`${limits.owner_tool_runs} tools are tried in your sessions already; wait for one to finish`);
  if (isOver('unfinished_turns'))
    refuse(`${limits.unfinished_turns} of your turns wait or run already; wait for some to finish`);
};

/** True where a task ends and none begins, as by a cancel: at the limits of what is stored no task can begin, so there are only so many of these. */
const isEnding = ({ changes }: Decision): boolean =>
  changes.some((change) => change.type === 'task.moved' && change.state !== 'running' && isEnded(change.state)) &&
  !changes.some(({ type }) => type === 'task.added');

const refuseTools = (before: SessionImage, after: SessionImage, limits: ServiceLimits): void => {
  const called = toolTurns(after).length;
  if (called > toolTurns(before).length && called > limits.tool_runs)
    refuse(`${limits.tool_runs} tools are tried in this session already; wait for one to finish`);
};

const refuseHistory = ({ image, changes }: Decision, limits: ServiceLimits): void => {
  const { session, seq } = image;
  const isOpened = changes.some(({ type }) => type === 'task.added');
  if (session.turn_count > limits.session_turns || (isOpened && seq > limits.session_entries)) refuse(TOO_LONG);
};

/** Refuses an edit of a plan, which adds to the trace, at the limits of it: throws `TOO_MANY_REQUESTS`. */
export const assertTraceMayGrow = ({ image }: Decision, { limits }: Pick<Bounds, 'limits'>): void => {
  if (image.seq > limits.session_entries) refuse(TOO_LONG);
};

/**
 * Refuses what a user asked for where the session would have more than its limits allow (SPEC 11): throws `TOO_MANY_REQUESTS`.
 * What ends a task, such as a cancel, is never refused for what is stored already.
 */
export const assertWithinLimits = (before: SessionImage, decision: Decision, { limits, used }: Bounds): void => {
  const { image: after } = decision;
  refuseQueue(before, after, limits);
  refuseOwner(before, decision, { limits, used });
  refuseTools(before, after, limits);
  if (!isEnding(decision)) refuseHistory(decision, limits);
  if (before.open !== null && joined(after) > joined(before) && joined(after) > limits.steers + 1)
    refuse(`${limits.steers} inputs have joined this task already; wait for it to finish`);
};
