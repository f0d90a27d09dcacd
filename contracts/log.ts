import { z } from 'zod';
import { Contract } from './calls.ts';

/** Longest result of an item in the log, in characters: the values that later items need, not the work. */
export const LOG_RESULT_CHARS_MAX = 4_000;

/** Longest part of a rejected answer in the log, in characters: enough to see what was wrong. */
export const LOG_ANSWER_CHARS_MAX = 2_000;

/** Entries of a task's log. A longer one loses the oldest half of those that tell neither what the user said nor what an item found. */
export const LOG_ENTRIES_MAX = 1_000;

/** One thing that happened in a task, as prompts tell it (SPEC 7). Texts of tools and of the user stand in it as they came: not trusted. */
export const LogEntry = z.discriminatedUnion('kind', [
  /** A plan was taken: of the model, or of the user, who edited it. */
  z.object({
    kind: z.literal('plan'),
    by: z.enum(['model', 'user']),
    items: z.array(z.object({ id: z.string(), step: z.string() })),
    /** Changes that the service made to it. */
    notes: z.array(z.string()).optional(),
  }),
  /** A tool gave a result, which is the observation of this effect. */
  z.object({ kind: z.literal('action'), effect: z.number().int(), at: z.number().int().optional() }),
  /** The same of an action that an earlier build stored. */
  z.object({
    kind: z.literal('earlier_action'),
    tool: z.string(),
    input: z.string(),
    ok: z.boolean(),
    result: z.string(),
  }),
  /** An item ended. */
  z.object({
    kind: z.literal('item'),
    id: z.string(),
    step: z.string(),
    status: z.enum(['completed', 'blocked']),
    result: z.string().nullable(),
  }),
  /** The user spoke: an answer to `question`, or on their own. */
  z.object({
    kind: z.literal('said'),
    question: z.string().nullable(),
    options: z.array(z.string()).optional(),
    text: z.string(),
  }),
  /** The user's program gave the task something to know, or a schema for its answer. */
  z.object({
    kind: z.literal('given'),
    background: z.string().optional(),
    answer_schema: z.record(z.string(), z.unknown()).optional(),
  }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('rejected'), contract: Contract, reason: z.string(), answer: z.string() }),
  /** Calls of a message that were not taken, because something else came first or they were not allowed. */
  z.object({ kind: z.literal('not_taken'), calls: z.array(z.string()) }),
  /** The service found something out: a deadlock, or a failed verification. */
  z.object({ kind: z.literal('found'), source: z.enum(['deadlock', 'verification']), text: z.string() }),
  /** An answer that would have ended the task was held back, because the user spoke meanwhile. */
  z.object({ kind: z.literal('held_back'), text: z.string() }),
  /** The task was paused, and the user let it go on. */
  z.object({ kind: z.literal('resumed'), reason: z.string(), detail: z.string().nullable() }),
]);
export type LogEntry = z.infer<typeof LogEntry>;

/** A task's log, oldest entry first. */
export const Log = z.array(LogEntry);
export type Log = z.infer<typeof Log>;
