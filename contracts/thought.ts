import { z } from 'zod';
import { OPTION_CHARS_MAX, OPTIONS_MAX, RESPONSE_CHARS_MAX, STEP_CHARS_MAX, TOOL_INPUT_CHARS_MAX } from './limits.ts';
import { rule } from './rule.ts';
import { blankAsAbsent, isBlank, nullIfEmpty } from './text.ts';

export const ThoughtStatus = z.enum(['continue', 'ask_user', 'done']);
export type ThoughtStatus = z.infer<typeof ThoughtStatus>;

/** How a plan item ended: `blocked` when it could not be done (SPEC 1, 5). */
export const ItemOutcome = z.enum(['completed', 'blocked']);
export type ItemOutcome = z.infer<typeof ItemOutcome>;

/** One tool call that a thought asks for; `input` is the tool's command line or JSON, verbatim. */
export const NextAction = z.object({
  tool: z.string().trim().min(1, 'must not be empty').max(64),
  input: z
    .string()
    .max(TOOL_INPUT_CHARS_MAX)
    .refine((input) => input.trim() !== '', rule('notBlank')),
});
export type NextAction = z.infer<typeof NextAction>;

/** An action whose tool and input are both empty is no action: an empty string counts as null. An object or list is its JSON text. */
const nextActionOrNull = z.preprocess((value) => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return isBlank(value) ? null : value;
  const { tool, input } = value as Record<string, unknown>;
  if (isBlank(tool) && isBlank(input)) return null;
  return typeof input === 'object' && input !== null ? { ...value, input: JSON.stringify(input) } : value;
}, NextAction.nullable());

const shape = z.object({
  status: ThoughtStatus,
  current_step: nullIfEmpty(z.string().max(STEP_CHARS_MAX)),
  next_action: nextActionOrNull.optional().transform((action) => action ?? null),
  question: nullIfEmpty(z.string().max(STEP_CHARS_MAX)),
  response: nullIfEmpty(z.string().max(RESPONSE_CHARS_MAX)),
  /** Optional, and read with `done` only: what it says beside another status is dropped. */
  outcome: blankAsAbsent(ItemOutcome),
  /** Optional, and read with `ask_user` only: short answers to choose from. */
  options: blankAsAbsent(z.array(z.string().trim().min(1).max(OPTION_CHARS_MAX)).max(OPTIONS_MAX)),
});

const required = {
  continue: ['current_step', 'next_action'],
  ask_user: ['current_step', 'question'],
  done: [],
} as const;
const refused = {
  continue: ['question', 'response'],
  ask_user: ['next_action', 'response'],
  done: ['next_action', 'question'],
} as const;

/** The thought contract with its field matrix: what each status requires and what it must leave null (SPEC 5). */
export const ThoughtAnswer = shape
  .superRefine((thought, ctx) => {
    for (const field of required[thought.status])
      if (thought[field] === null)
        ctx.addIssue({ code: 'custom', path: [field], ...rule('statusRequires', thought.status, field) });
    for (const field of refused[thought.status])
      if (thought[field] !== null)
        ctx.addIssue({ code: 'custom', path: [field], ...rule('statusLeavesNull', thought.status, field) });
  })
  .transform(({ outcome, options, ...thought }): typeof thought & { outcome?: ItemOutcome; options?: string[] } => ({
    ...thought,
    ...(thought.status === 'done' && outcome !== undefined && { outcome }),
    ...(thought.status === 'ask_user' && options !== undefined && options.length > 0 && { options }),
  }));
export type ThoughtAnswer = z.infer<typeof ThoughtAnswer>;
