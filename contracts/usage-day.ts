import { z } from 'zod';
import { Cost } from './cost.ts';
import { Usage } from './usage.ts';

/** Model calls and their tokens; `cost` only where every one of them had a price, all in one currency. */
const Spent = z.object({ calls: z.number().int(), usage: Usage, cost: Cost.optional() });
export type Spent = z.infer<typeof Spent>;

/** What an owner used on one day, in UTC (SPEC 9). Turns are those that a task answers, and no commands. */
export const UsageDay = Spent.extend({
  day: z.iso.date(),
  turns: z.number().int(),
  models: z.array(Spent.extend({ model: z.string() })),
});
export type UsageDay = z.infer<typeof UsageDay>;
