import { z } from 'zod';
import { PlanAnswer } from './plan.ts';
import { ReplanAnswer } from './replan.ts';
import { ThoughtAnswer } from './thought.ts';

/** A JSON Schema, draft 2020-12, as plain data. */
export type JsonSchema = Record<string, unknown>;

/** Every contract's schema with all its limits, by name; the thought's field matrix is prose (SPEC 5). */
export const contractSchemas = (): Record<'plan' | 'thought' | 'replan', JsonSchema> => ({
  plan: z.toJSONSchema(PlanAnswer, { io: 'input' }),
  thought: z.toJSONSchema(ThoughtAnswer, { io: 'input' }),
  replan: z.toJSONSchema(ReplanAnswer, { io: 'input' }),
});
