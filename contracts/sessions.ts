import { z } from 'zod';
import { Rating } from './feedback.ts';
import { plainLine } from './text.ts';
import { Amount } from './usage.ts';

/** Longest title of a session, in characters: one line of a list. */
export const TITLE_CHARS_MAX = 120;

/** Longest name of a tool that a model can call, in characters. */
const TOOL_NAME_CHARS_MAX = 64;

/** A session's state, taken from its last task. A task that was given up counts as failed. */
export const SessionState = z.enum(['running', 'awaiting_user', 'paused', 'done', 'failed', 'cancelled']);

export const SessionQuery = z.strictObject({
  q: z
    .string()
    .max(200)
    .optional()
    .meta({ description: 'Only those with all of these words in their name, title, inputs or answers.' }),
  state: SessionState.optional().meta({
    description: 'Only those whose last task is in this state; `failed` includes tasks that were given up.',
  }),
  feedback: z.enum(Rating.options).optional().meta({ description: 'Only those with a reply that was rated so.' }),
  tool: z
    .string()
    .min(1)
    .max(TOOL_NAME_CHARS_MAX)
    .optional()
    .meta({ description: 'Only those that called this tool, by its name.' }),
  min_cost: Amount.optional().meta({
    description:
      'Only those whose model calls cost at least this, as far as it is known, in the currency of the prices.',
  }),
  since: z.iso.datetime().optional().meta({ description: 'Only those that were used at this time or later.' }),
});
export type SessionQuery = z.infer<typeof SessionQuery>;

/** The body of `PATCH /v1/sessions/{session_id}`: null restores the first title. */
export const SessionPatch = z.strictObject({
  title: z
    .string()
    .max(TITLE_CHARS_MAX)
    .refine((title) => title.isWellFormed(), 'must be well-formed Unicode')
    .transform((title) => plainLine(title))
    .refine((title) => title !== '', 'must not be blank')
    .nullable(),
});
