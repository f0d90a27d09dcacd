import type { FastifyInstance } from 'fastify';
import { GoalRequest, GoalView } from '../../../contracts/goal.ts';
import { GOALS_MAX } from '../../../contracts/limits.ts';
import { ServiceError, unless } from '../../lib/errors.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { UsageError, type Word } from '../../tools/command-line.ts';
import { type Goal, goalStore, goalView, readGoal } from '../../tools/schedule/goals.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

const word = (text: string | number): Word => ({ text: String(text), quoted: true });

/** Reads a request as a command would. A command's refusal becomes `INVALID_REQUEST`. */
const refusing = <Result>(read: () => Result): Result => {
  try {
    return read();
  } catch (error) {
    throw error instanceof UsageError ? new ServiceError('INVALID_REQUEST', error.message) : error;
  }
};

interface Parts
  extends Pick<
    RouteParts,
    'ownerData' | 'ownerLists' | 'now' | 'callbackProblem' | 'hostTimezone' | 'ownerDataChanged'
  > {
  engine: Pick<SessionsApi, 'openSession' | 'session'>;
}

/** Adds `/v1/goals…`: an owner's scheduled goals, the same as `/schedule goal` (SPEC 8). */
export const addGoalRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, ownerData, ownerLists, now } = parts;
  const { route, list } = routesOf(app, 'goals');

  const found = (goal: Goal | null): Goal => {
    if (goal === null) throw new ServiceError('GOAL_NOT_FOUND', 'There is no goal with that id');
    return goal;
  };
  const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);

  list('/v1/goals', 'listGoals', {
    summary: 'Your goals on a schedule',
    description: 'Those with occurrences still to come, in the order of their creation.',
    items: { goals: GoalView },
    read: ({ owner }, page) => ownerLists.goals(owner, page),
  });

  route('POST /v1/goals', 'addGoal', {
    summary: 'Put a goal on a schedule',
    description:
      'At each of its times it opens a task in its session, as a turn of kind `goal` that nobody waits for. The task may ask questions; a time is skipped while the last run is not over.',
    body: GoalRequest,
    status: 201,
    returns: GoalView,
    handle: async ({ owner, body }) => {
      const { session_id, when, goal, interval_minutes, times, callback_url } = body;
      const problem = callback_url === undefined ? null : await parts.callbackProblem(callback_url);
      if (problem !== null) throw new ServiceError('INVALID_REQUEST', problem);
      const session = await unless(['SESSION_NOT_FOUND'], engine.session(owner, session_id));
      const timezone = body.timezone ?? session?.timezone ?? parts.hostTimezone;
      const call = { owner, session_id, timezone, language: 'en', metadata: {}, now: now() } as const;
      const options = new Map<string, Word[][]>();
      if (interval_minutes !== undefined) options.set('interval', [[word(interval_minutes)]]);
      if (times !== undefined) options.set('times', [[word(times)]]);
      const given = { words: [word(when)], options };
      const read = refusing(() => readGoal(given, { ...call, command: { callback_url } }, goal));
      await engine.openSession({ owner, session_id });
      const made = await ownerData.run(owner, () => goalStore.add(owner, read, call.now));
      if (made === null)
        throw new ServiceError('INVALID_REQUEST', `You have ${GOALS_MAX} goals already; delete one first`);
      parts.ownerDataChanged();
      return goalView(made);
    },
  });

  route('GET /v1/goals/:goal_id', 'getGoal', {
    summary: 'A goal on a schedule',
    description: 'Available until its last time has come.',
    returns: GoalView,
    handle: async ({ owner, params: { goal_id } }) =>
      goalView(found(await ownerData.run(null, () => goalStore.get(owner, idOf(goal_id))))),
  });

  route('DELETE /v1/goals/:goal_id', 'deleteGoal', {
    summary: 'Remove a goal from the schedule',
    description: 'A task that it has opened continues.',
    handle: async ({ owner, params: { goal_id } }) =>
      ownerData.run(owner, function* () {
        const { id } = found(yield* goalStore.get(owner, idOf(goal_id)));
        yield* goalStore.remove(owner, id);
      }),
  });
};
