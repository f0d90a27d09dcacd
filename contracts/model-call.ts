import { z } from 'zod';
import { Call } from './calls.ts';
import { CallUsage } from './usage.ts';

/**
 * A prompt as text: the callable tools, a system prompt, and alternating messages that begin and end with the user's.
 */
export const SentPrompt = z.object({
  /** Absent: the model was asked to answer in text. */
  tools: z
    .array(z.object({ name: z.string(), description: z.string(), schema: z.record(z.string(), z.unknown()) }))
    .optional(),
  system: z.string(),
  messages: z.array(z.object({ role: z.enum(['user', 'assistant']), content: z.string() })),
});
export type SentPrompt = z.infer<typeof SentPrompt>;

/** One call of a model, without its texts. A repeated call is a call of its own. */
export const ModelCallSummary = z.object({
  effect_id: z.string(),
  contract: z.enum(['plan', 'thought', 'replan']),
  model: z.string(),
  started_at: z.iso.datetime(),
  duration_ms: z.number().int().min(0),
  /** With an answer, without one (`failed`), or stopped because the task no longer wanted it (`aborted`). */
  outcome: z.enum(['answered', 'failed', 'aborted']),
  fault: z
    .enum(['none', 'truncated', 'refused', 'empty', 'only_reasoning', 'tool_use'])
    .nullable()
    .meta({ description: 'Why the answer could not be read; null where it could, or where none came.' }),
  usage: CallUsage.nullable(),
  prompt_chars: z.number().int().min(0),
  answer_chars: z.number().int().min(0),
});
export type ModelCallSummary = z.infer<typeof ModelCallSummary>;

/** One call of a model as it was made. `prompt` is null for a model without prompts, such as the offline one. */
export const ModelCall = ModelCallSummary.extend({
  structured_output: z.boolean().meta({ description: "The contract's JSON Schema was sent beside the prompt." }),
  prompt: SentPrompt.nullable(),
  answer: z.string().nullable().meta({ description: 'The text of the answer; null where none came.' }),
  calls: z.array(Call).optional().meta({ description: 'The calls of the answer, in order; absent where it has none.' }),
  failure: z.string().nullable().meta({ description: 'Why no answer came.' }),
});
export type ModelCall = z.infer<typeof ModelCall>;
