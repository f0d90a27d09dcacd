import { z } from 'zod';
import { By } from './by.ts';
import { SessionId, TaskId } from './ids.ts';
import { NOTE_CHARS_MAX } from './limits.ts';
import { TRACE_VERSION } from './trace.ts';

/** A thumb: what a user thought of a reply. */
export const Rating = z.enum(['up', 'down']);
export type Rating = z.infer<typeof Rating>;

/** The body of `PUT /v1/turns/{turn_id}/feedback`. */
export const FeedbackRequest = z.strictObject({
  rating: Rating,
  note: z
    .string()
    .max(NOTE_CHARS_MAX)
    .refine((note) => note.trim() !== '', 'must not be blank')
    .refine((note) => note.isWellFormed(), 'must be well-formed Unicode')
    .optional()
    .meta({ description: 'What was wrong or right, in words.' }),
});
export type FeedbackRequest = z.infer<typeof FeedbackRequest>;

/** A user's opinion of a turn's reply (SPEC 11). It is part of no event, and no model sees it. */
export const Feedback = z.object({
  rating: Rating,
  note: z.string().optional(),
  /** Who gave it last. */
  by: By,
  at: z.iso.datetime(),
});
export type Feedback = z.infer<typeof Feedback>;

/** How many turns of a session have each rating. */
export const FeedbackCounts = z.object({ up: z.number().int(), down: z.number().int() });
export type FeedbackCounts = z.infer<typeof FeedbackCounts>;

/** Feedback as a trace has it, in a line of its own behind all entries. It is no entry: no `seq` and no chain (SPEC 12). */
export const FeedbackLine = z.strictObject({
  v: z.literal(TRACE_VERSION),
  session_id: SessionId,
  /** Null: no task answered the turn. */
  task_id: TaskId.nullable(),
  turn_id: z.string(),
  feedback: Feedback,
});
export type FeedbackLine = z.infer<typeof FeedbackLine>;
