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

/** The body of `POST /v1/goals`. */
export const GoalRequest = z.strictObject({
  session_id: SessionId.meta({ description: 'The session of its tasks; created if it is new.' }),
  when: z
    .string()
    .max(200)
    .meta({ description: 'In digits or in English or Chinese words, as `/schedule` takes it: "every Monday 9am".' }),
  goal: UserText.max(GOAL_CHARS_MAX),
  interval_minutes: z.number().int().min(1).max(INTERVAL_MINUTES_MAX).optional(),
  times: z
    .number()
    .int()
    .min(1)
    .max(TIMES_MAX)
    .optional()
    .meta({ description: 'Total number of times; default: without end where it repeats.' }),
  timezone: Timezone.optional().meta({ description: "The time zone of `when`; default: the session's." }),
  callback_url: CallbackUrl.optional(),
});
