import type { FastifyInstance } from 'fastify';
import type { z } from 'zod';
import { GoalPatch, GoalRequest, GoalTimes, GoalTimesQuery, GoalView } from '../../../contracts/goal.ts';
import { GOALS_MAX } from '../../../contracts/limits.ts';
import { languageOf } from '../../../contracts/text.ts';
import { ServiceError, unless } from '../../lib/errors.ts';
import { iso } from '../../lib/iso-time.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import { UsageError, type Word } from '../../tools/command-line.ts';
import { firstTimes, type Goal, goalStore, goalView, repetitionOf, takeGoalTimes } from '../../tools/schedule/goals.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

const word = (text: string | number): Word => ({ text: String(text), quoted: true });

/** Times that a preview shows. */
const PREVIEWED = 3;

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

/** Times in words, with the session and the zone that they are meant for. */
type Times = Pick<z.infer<typeof GoalTimesQuery>, 'when' | 'interval_minutes' | 'times' | 'timezone'> & {
  session_id?: string | undefined;
};

/** Creates the reader of times for an owner's goals. A refusal is in the language of the words. */
const createTimesReader = ({ engine, hostTimezone, now }: Parts) => {
  const zoneOf = async (owner: string, session_id: string | undefined): Promise<string> => {
    const session =
      session_id === undefined ? null : await unless(['SESSION_NOT_FOUND'], engine.session(owner, session_id));
    return session?.timezone ?? hostTimezone;
  };
  return async (owner: string, { when, interval_minutes, times, ...of }: Times) => {
    const { session_id = '', timezone = await zoneOf(owner, of.session_id) } = of;
    const options = new Map<string, Word[][]>();
    if (interval_minutes !== undefined) options.set('interval', [[word(interval_minutes)]]);
    if (times !== undefined) options.set('times', [[word(times)]]);
    const call = { owner, session_id, timezone, language: languageOf(when), metadata: {}, now: now() } as const;
    return refusing(() => takeGoalTimes({ words: [word(when)], options }, call));
  };
};

/** Adds `/v1/goals…`: an owner's scheduled goals, the same as `/schedule goal` (SPEC 8). */
export const addGoalRoutes = (app: FastifyInstance, parts: Parts): void => {
  const { engine, ownerData, ownerLists, now } = parts;
  const { route, list } = routesOf(app, 'goals');
  const readTimes = createTimesReader(parts);

  const found = (goal: Goal | null): Goal => {
    if (goal === null) throw new ServiceError('GOAL_NOT_FOUND', 'There is no goal with that id');
    return goal;
  };
  const idOf = (text: string): number => (/^\d{1,15}$/.test(text) ? Number(text) : 0);
  const checkCallback = async (url: string | null | undefined): Promise<void> => {
    const problem = url == null ? null : await parts.callbackProblem(url);
    if (problem !== null) throw new ServiceError('INVALID_REQUEST', problem);
  };

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
      const { session_id, goal, callback_url = null } = body;
      await checkCallback(callback_url);
      const times = await readTimes(owner, body);
      await engine.openSession({ owner, session_id });
      const made = await ownerData.run(owner, () =>
        goalStore.add(owner, { session_id, goal, callback_url, ...times }, now()),
      );
      if (made === null)
        throw new ServiceError('INVALID_REQUEST', `You have ${GOALS_MAX} goals already; delete one first`);
      parts.ownerDataChanged();
      return goalView(made);
    },
  });

  route('GET /v1/goals/preview', 'previewGoal', {
    summary: 'The times that a goal would have',
    description: 'Reads `when` as `POST /v1/goals` does, and stores nothing. 400 says why it is no time.',
    query: GoalTimesQuery,
    returns: GoalTimes,
    handle: async ({ owner, query }) => {
      const times = await readTimes(owner, query);
      return { next: firstTimes(times, PREVIEWED).map(iso), ...repetitionOf(times.series) };
    },
  });

  route('GET /v1/goals/:goal_id', 'getGoal', {
    summary: 'A goal on a schedule',
    description: 'Available until its last time has come.',
    returns: GoalView,
    handle: async ({ owner, params: { goal_id } }) =>
      goalView(found(await ownerData.run(null, () => goalStore.get(owner, idOf(goal_id))))),
  });

  route('PATCH /v1/goals/:goal_id', 'editGoal', {
    summary: 'Edit a goal on a schedule',
    description:
      'What the body does not have stays. The session stays, too. A task that the goal has opened goes on as it was.',
    body: GoalPatch,
    returns: GoalView,
    handle: async ({ owner, params: { goal_id }, body }) => {
      const { when, goal, callback_url } = body;
      const id = idOf(goal_id);
      const before = found(await ownerData.run(null, () => goalStore.get(owner, id)));
      await checkCallback(callback_url);
      const { timezone } = before.series;
      const times = when === undefined ? null : await readTimes(owner, { timezone, ...body, when });
      const edited = await ownerData.run(owner, function* () {
        const known = found(yield* goalStore.get(owner, id));
        const next = { ...known, ...times, goal: goal ?? known.goal };
        const whole = callback_url === undefined ? next : { ...next, callback_url };
        yield* goalStore.edit(owner, whole);
        return whole;
      });
      parts.ownerDataChanged();
      return goalView(edited);
    },
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
