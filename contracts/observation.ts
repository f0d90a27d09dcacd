import { z } from 'zod';
import { OBSERVATION_CHARS_MAX } from './limits.ts';

/**
 * The result of one action, or what the machine itself found out (SPEC 1). `result` is at most
 * `OBSERVATION_CHARS_MAX` characters. It comes from tools and the web, so its text is not trusted.
 */
export const Observation = z.object({
  /** The plan item it belongs to; null for an empty plan and for findings about the whole task. */
  item_id: z.string().nullable(),
  source: z.enum(['tool', 'deadlock', 'verification']),
  tool: z.string(),
  input: z.string(),
  /** The input that the thought gave, where the user had another one run in its place (SPEC 3, approval). */
  instead_of: z.string().optional(),
  ok: z.boolean(),
  result: z.string().max(OBSERVATION_CHARS_MAX),
});
export type Observation = z.infer<typeof Observation>;

/** What a tool gave back: `ok` false is a failed observation, never an exception. */
export const ToolResult = z.object({ ok: z.boolean(), result: z.string() });
export type ToolResult = z.infer<typeof ToolResult>;
