import { z } from 'zod';
import { PlanAnswer } from '../../contracts/plan.ts';
import { ReplanAnswer } from '../../contracts/replan.ts';
import { ThoughtAnswer } from '../../contracts/thought.ts';
import type { Door } from './door.ts';
import { problems } from './responses.ts';

const JsonSchema = z.record(z.string(), z.unknown());

const schemas = Object.fromEntries(
  Object.entries({ plan: PlanAnswer, thought: ThoughtAnswer, replan: ReplanAnswer }).map(([name, contract]) => [
    name,
    z.toJSONSchema(contract, { io: 'input' }),
  ]),
);

/** `GET /v1/contracts`: the JSON Schemas of all that a model may say (SPEC 5). */
export const addContractRoute = (app: Door): void => {
  const response = { 200: z.record(z.string(), JsonSchema), ...problems };
  app.get(
    '/v1/contracts',
    { schema: { summary: 'The three contracts', tags: ['contracts'], response } },
    async () => schemas,
  );
};
