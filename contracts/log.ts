import { z } from 'zod';
import { AnswerContract } from './calls.ts';
import { AttachedFile } from './file.ts';

/** Longest result of an item in the log, in characters: the values that later items need, not the work. */
export const LOG_RESULT_CHARS_MAX = 4_000;

/** Longest part of a rejected answer in the log, in characters: enough to see the mistake. */
export const LOG_ANSWER_CHARS_MAX = 2_000;

/**
 * Entries in a task's log. A longer log loses the oldest half of its entries, except user messages and results of
 * items.
 */
export const LOG_ENTRIES_MAX = 1_000;

/**
 * One event in a task's history, as prompts tell it (SPEC 7). Texts of tools and of the user are verbatim: not trusted.
 */
export const LogEntry = z.discriminatedUnion('kind', [
  /** A plan was accepted: from the model, from an edit by the user, or from the turn that opened the task. */
  z.object({
    kind: z.literal('plan'),
    by: z.enum(['model', 'user', 'turn']),
    items: z.array(z.object({ id: z.string(), step: z.string() })),
    /** Changes that the service made to the plan. */
    notes: z.array(z.string()).optional(),
  }),
  /** A tool returned a result: the observation of this effect. */
  z.object({ kind: z.literal('action'), effect: z.number().int(), at: z.number().int().optional() }),
  /** The result of an action that an earlier build stored. */
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
  /** The user spoke: an answer to `question`, or a message of their own. */
  z.object({
    kind: z.literal('said'),
    question: z.string().nullable(),
    options: z.array(z.string()).optional(),
    text: z.string(),
  }),
  /** The user's program sent context for the task, or a schema for its answer. */
  z.object({
    kind: z.literal('given'),
    background: z.string().optional(),
    answer_schema: z.record(z.string(), z.unknown()).optional(),
  }),
  /** The user sent files with what they said. */
  z.object({ kind: z.literal('files'), files: z.array(AttachedFile) }),
  z.object({ kind: z.literal('note'), text: z.string() }),
  z.object({ kind: z.literal('rejected'), contract: AnswerContract, reason: z.string(), answer: z.string() }),
  /** Calls of a message that were not used: something else came first, or they were not allowed. */
  z.object({ kind: z.literal('not_taken'), calls: z.array(z.string()) }),
  /** The service found a deadlock or a failed verification. */
  z.object({ kind: z.literal('found'), source: z.enum(['deadlock', 'verification']), text: z.string() }),
  /** An answer that would have ended the task was held back because the user spoke meanwhile. */
  z.object({ kind: z.literal('held_back'), text: z.string() }),
  /** The task was paused, and the user resumed it. */
  z.object({ kind: z.literal('resumed'), reason: z.string(), detail: z.string().nullable() }),
]);
export type LogEntry = z.infer<typeof LogEntry>;

/** A task's log, oldest entry first. */
export const TaskLog = z.array(LogEntry);
export type TaskLog = z.infer<typeof TaskLog>;
