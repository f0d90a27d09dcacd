import type { ModelCall } from '../../../contracts/model-call.ts';
import { ApiProblem } from '../api/request.ts';
import { listModelCalls } from '../api/routes.ts';
import { previewFork } from '../api/service-routes.ts';
import { type ForkOrigin, forkOriginOf } from '../app/task-of-session.ts';

/** The kept calls of an effect. */
export interface KeptCalls {
  calls: readonly ModelCall[];
  /** The task that they were made for, where a fork has taken their results over; null: the task itself. */
  from: ForkOrigin | null;
}

/** Which effect of which task. */
interface Asked {
  session: string;
  task: string;
  effect: string;
}

/** Most forks of forks that are gone back. */
const FORKS_MAX = 16;

/** The result, or `otherwise` where the service does not know of any. */
const orNone = async <Value>(asked: Promise<Value>, otherwise: Value): Promise<Value> => {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 404) return otherwise;
    throw error;
  }
};

/** The same effect of the task that this one was forked from; null where it is no fork, or did not take that effect over. */
const inOrigin = async ({ session, task, effect }: Asked, signal: AbortSignal) => {
  const origin = await orNone(forkOriginOf(session, signal), null);
  if (origin === null) return null;
  const same = origin.task + effect.slice(task.length);
  const preview = await orNone(previewFork(origin.task, origin.seq, signal), null);
  const isRecalled = preview?.recalled.some(({ effect_id }) => effect_id === same) === true;
  return isRecalled ? { origin, asked: { session: origin.session, task: origin.task, effect: same } } : null;
};

/** The calls for an effect: the task's own, else those of the task that a fork has its result from. */
export const keptCalls = async (asked: Asked, signal: AbortSignal): Promise<KeptCalls> => {
  const none = { calls: [] };
  let from: ForkOrigin | null = null;
  for (let place = asked, forks = 0; forks < FORKS_MAX; forks++) {
    const { calls } = await orNone(listModelCalls(place.task, place.effect, signal), none);
    if (calls.length > 0) return { calls, from };
    const found = await inOrigin(place, signal);
    if (found === null) break;
    from = found.origin;
    place = found.asked;
  }
  return { calls: [], from: null };
};
