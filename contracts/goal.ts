import { z } from 'zod';
import { CallbackUrl, repetition, Timezone, UserText } from './http.ts';
import { SessionId } from './ids.ts';
import { GOAL_CHARS_MAX, INTERVAL_MINUTES_MAX, TIMES_MAX } from './limits.ts';

/** A goal on a schedule with occurrences still to come (SPEC 8, 11). */
export const GoalView = z.object({
  id: z.number().int(),
  session_id: SessionId,
  goal: z.string(),
  due_at: z.iso.datetime().meta({ description: 'Its next time.' }),
  ...repetition,
  callback_url: z.string().nullable(),
  last_turn_id: z.string().nullable().meta({ description: 'The turn of the last time that was not skipped.' }),
  created_at: z.iso.datetime(),
});
export type GoalView = z.infer<typeof GoalView>;

const When = z.string().max(200);

const EVERY = 'The interval in minutes; default: as `when` says.';

const Interval = z.int().min(1).max(INTERVAL_MINUTES_MAX).meta({ description: EVERY });

const Times = z.int().min(1).max(TIMES_MAX);

const IN_WORDS = 'In digits or in English or Chinese words, as `/schedule` takes it: "every Monday 9am".';

const TOTAL = 'Total number of times; default: without end where it repeats.';

const zoneOf = (timezone: string) => `The time zone of \`when\`; default: ${timezone}.`;

/** The body of `POST /v1/goals`. */
export const GoalRequest = z.strictObject({
  session_id: SessionId.meta({ description: 'The session of its tasks; created if it is new.' }),
  when: When.meta({ description: IN_WORDS }),
  goal: UserText.max(GOAL_CHARS_MAX),
  interval_minutes: Interval.optional(),
  times: Times.optional().meta({ description: TOTAL }),
  timezone: Timezone.optional().meta({ description: zoneOf("the session's") }),
  callback_url: CallbackUrl.optional(),
});
export type GoalRequest = z.infer<typeof GoalRequest>;

/** The body of `PATCH /v1/goals/{goal_id}`: what is not in it stays. */
export const GoalPatch = z
  .strictObject({
    when: When.optional().meta({ description: `New times, in place of all that it has. ${IN_WORDS}` }),
    goal: GoalRequest.shape.goal.optional(),
    interval_minutes: Interval.optional(),
    times: Times.optional().meta({ description: TOTAL }),
    timezone: Timezone.optional().meta({ description: zoneOf('that of its times so far') }),
    callback_url: CallbackUrl.nullable().optional().meta({ description: 'null: its turns are posted nowhere.' }),
  })
  .refine(
    ({ when, interval_minutes, times, timezone }) =>
      when !== undefined || [interval_minutes, times, timezone].every((given) => given === undefined),
    { error: 'is needed beside "interval_minutes", "times" and "timezone"', path: ['when'] },
  );

/** The query of `GET /v1/goals/preview`. */
export const GoalTimesQuery = z.strictObject({
  when: When.meta({ description: IN_WORDS }),
  interval_minutes: z.coerce.number().pipe(Interval).optional().meta({ description: EVERY }),
  times: z.coerce.number().pipe(Times).optional().meta({ description: TOTAL }),
  session_id: SessionId.optional().meta({ description: 'The session of its tasks.' }),
  timezone: Timezone.optional().meta({ description: zoneOf("the session's") }),
});

/** The times that a goal would have. */
export const GoalTimes = z.object({
  next: z.array(z.iso.datetime()).meta({ description: 'The first of them, three at most.' }),
  ...repetition,
});
export type GoalTimes = z.infer<typeof GoalTimes>;
