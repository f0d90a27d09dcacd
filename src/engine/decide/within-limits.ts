import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import { isEnded } from '../../../machines/is-settled.ts';
import { ServiceError } from '../../lib/errors.ts';
import { type Decision, replyIn } from '../change.ts';
import { countsOf, type UsedCounts } from '../owner-counts.ts';
import type { RunningBytes } from '../running-bytes.ts';
import { queuedTurns, type SessionImage, toolTurns } from '../session-image.ts';
import type { DecisionContext } from './decision-context.ts';

type Within = Pick<DecisionContext, 'limits' | 'used'>;
type Bounds = Pick<DecisionContext, 'limits' | 'used' | 'running'>;

const MEMORY_IS_FULL = 'hold as much in memory as they may; wait for some to finish';

/** How far beyond `stored_bytes` slash commands are still taken, in bytes: some thousand looks at what there is to remove. */
const COMMAND_BYTES_BEYOND = 16 * 1024 * 1024;

/** Input of an owner that is taken also where others fill the memory, in bytes. */
const LITTLE_BYTES = 1024 * 1024;

const TOO_LONG = 'This session is as long as one may be; go on in a new one';

const refuse = (message: string): never => {
  throw new ServiceError('TOO_MANY_REQUESTS', message);
};

const refuseQueue = (before: SessionImage, after: SessionImage, limits: ServiceLimits): void => {
  const queue = queuedTurns(after);
  if (queue.length <= queuedTurns(before).length) return;
  if (queue.length > limits.queued_turns)
    refuse(`${limits.queued_turns} turns of this session wait already; wait for one to finish, or cancel the task`);
  const bytes = queue.reduce((sum, { input }) => sum + Buffer.byteLength(input), 0);
  if (bytes > limits.queued_bytes)
    refuse(`The turns of this session that wait may have ${limits.queued_bytes} bytes in all; wait for one to finish`);
};

const joined = ({ turns }: SessionImage): number => turns.filter(({ task_id }) => task_id !== null).length;

/** Refuses another running task, however little it begins with, where those that run hold as much as they may. */
const refuseRunning = (owner: string, running: RunningBytes, limits: ServiceLimits): void => {
  if (running.of(owner) >= limits.running_bytes) refuse(`Your tasks that run ${MEMORY_IS_FULL}`);
  if (running.inAll() >= limits.running_bytes_in_all) refuse(`The tasks that run ${MEMORY_IS_FULL}`);
};

/** What others hold counts only against an owner who holds more than a little. */
const isOverInAll = (added: number, { unfinished_bytes, unfinished_bytes_in_all }: UsedCounts, limits: ServiceLimits) =>
  added > 0 &&
  unfinished_bytes + added > LITTLE_BYTES &&
  unfinished_bytes_in_all + added > limits.unfinished_bytes_in_all;

const refuseOwner = (before: SessionImage, decision: Decision, { limits, used, running }: Bounds): void => {
  const added = countsOf(before, decision);
  const isOver = (count: keyof typeof added & keyof ServiceLimits): boolean =>
    added[count] > 0 && used[count] + added[count] > limits[count];
  if (isOver('sessions')) refuse(`You have ${limits.sessions} sessions already; have old ones removed`);
  if (isOver('running_tasks')) refuse(`${limits.running_tasks} of your tasks run already; wait for one to finish`);
  if (added.running_tasks > 0) refuseRunning(before.session.owner, running, limits);
  if (isOver('forks')) refuse(`You have ${limits.forks} forks already; have old sessions removed`);
  if (isOver('pending_callbacks'))
    refuse(`${limits.pending_callbacks} of your turns have a callback still to come; wait for some to be posted`);
  if (isOver('owner_tool_runs'))
    refuse(`${limits.owner_tool_runs} tools are tried in your sessions already; wait for one to finish`);
  if (isOver('unfinished_bytes'))
    refuse(`Your turns that wait or run may have ${limits.unfinished_bytes} bytes in all; wait for some to finish`);
  if (isOverInAll(added.unfinished_bytes, used, limits)) refuse(`The turns that wait or run ${MEMORY_IS_FULL}`);
};

/** True for a command that was answered at once and did nothing to a task. */
const isAnsweredCommand = ({ changes, steps }: Decision): boolean =>
  steps.length === 0 && changes.some((change) => change.type === 'turn.added' && replyIn(change.as) !== null);

const refuseStored = (decision: Decision, { limits, used }: Within): void => {
  const { changes } = decision;
  const beyond = isAnsweredCommand(decision) ? COMMAND_BYTES_BEYOND : 0;
  if (changes.length > 0 && used.stored_bytes >= limits.stored_bytes + beyond)
    refuse(`What is stored of your sessions may have ${limits.stored_bytes} bytes in all; have old sessions removed`);
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
export const assertTraceMayGrow = (decision: Decision, { limits, used }: Within): void => {
  if (decision.image.seq > limits.session_entries) refuse(TOO_LONG);
  refuseStored(decision, { limits, used });
};

/**
 * Refuses what a user asked for where the session would have more than its limits allow (SPEC 11): throws `TOO_MANY_REQUESTS`.
 * What ends a task, such as a cancel, is never refused for what is stored already.
 */
export const assertWithinLimits = (
  before: SessionImage,
  decision: Decision,
  { limits, used, running }: Bounds,
): void => {
  const { image: after } = decision;
  refuseQueue(before, after, limits);
  refuseOwner(before, decision, { limits, used, running });
  refuseTools(before, after, limits);
  if (!isEnding(decision)) {
    refuseHistory(decision, limits);
    refuseStored(decision, { limits, used });
  }
  if (before.open !== null && joined(after) > joined(before) && joined(after) > limits.steers + 1)
    refuse(`${limits.steers} inputs have joined this task already; wait for it to finish`);
};
