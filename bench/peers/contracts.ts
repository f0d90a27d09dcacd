import { z } from 'zod';

export const Item = z.object({ id: z.number().int(), title: z.string().min(1) });

export const Plan = z.object({ thinking: z.string(), items: z.array(Item).min(1) });

export const Thought = z.discriminatedUnion('decision', [
  z.object({
    decision: z.literal('continue'),
    thought: z.string(),
    tool: z.object({ name: z.enum(['search', 'read_file']), args: z.record(z.string(), z.string()) }),
  }),
  z.object({ decision: z.literal('done'), thought: z.string(), result: z.string() }),
  z.object({ decision: z.literal('ask'), thought: z.string(), question: z.string() }),
]);

export const Replan = z.discriminatedUnion('decision', [
  z.object({ decision: z.literal('replanned'), reason: z.string(), items: z.array(Item) }),
  z.object({ decision: z.literal('done'), reason: z.string(), answer: z.string() }),
]);
