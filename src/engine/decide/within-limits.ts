import type { ServiceLimits } from '../../../contracts/service-limits.ts';
import { ServiceError } from '../../errors.ts';
import type { Decision } from '../change.ts';
import { queuedTurns, type SessionImage } from '../session-image.ts';

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

/**
 * Refuses what a user asked for where the session would have more than its limits allow (SPEC 11): throws `TOO_MANY_REQUESTS`.
 * What ends something, such as a cancel, is never refused.
 */
export const assertWithinLimits = (before: SessionImage, { image: after }: Decision, limits: ServiceLimits): void => {
  refuseQueue(before, after, limits);
  if (before.open !== null && joined(after) > joined(before) && joined(after) > limits.steers + 1)
    refuse(`${limits.steers} inputs have joined this task already; wait for it to finish`);
};
