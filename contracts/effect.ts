import { z } from 'zod';
import { EffectNumber } from './ids.ts';
import { ThoughtStatus } from './thought.ts';

const effectOf = <Type extends string, Params extends z.ZodType>(type: Type, params: Params) =>
  z.object({ effect: EffectNumber, type: z.literal(type), params });

/**
 * A side effect that the machine requests (SPEC 1), as data. An engine performs it after the commit
 * and brings the outcome back as an event that names the same number.
 */
export const Effect = z.discriminatedUnion('type', [
  /** Ask the model for a plan; `attempt` counts from 1. */
  effectOf('model.plan', z.object({ attempt: z.number().int() })),
  /** Ask the model what to do about the current item (`null`: an empty plan); `may` narrows its answer. */
  effectOf('model.thought', z.object({ item_id: z.string().nullable(), may: z.array(ThoughtStatus) })),
  /** Ask the model for the rest of the plan or the answer; `attempt` counts from 1 since the last accepted one. */
  effectOf('model.replan', z.object({ attempt: z.number().int() })),
  /** Run one tool with the input that the thought gave, verbatim. */
  effectOf(
    'tool.call',
    z.object({ tool: z.string(), input: z.string(), item_id: z.string().nullable(), executor: z.string() }),
  ),
  /** Run the configured verifiers on what the tools wrote. */
  effectOf('verify.run', z.object({ attempt: z.number().int() })),
]);
export type Effect = z.infer<typeof Effect>;
export type EffectType = Effect['type'];
