import { z } from 'zod';
import { PlanAnswer } from '../../contracts/plan.ts';
import { ReplanAnswer } from '../../contracts/replan.ts';
import { ThoughtAnswer } from '../../contracts/thought.ts';
import type { ModelRequest } from './port.ts';

/** A JSON Schema, draft 2020-12, as plain data. */
export type JsonSchema = Record<string, unknown>;

type Contract = ModelRequest['contract'];

const contracts = { plan: PlanAnswer, thought: ThoughtAnswer, replan: ReplanAnswer } satisfies Record<
  Contract,
  z.ZodType
>;

/** Every contract's schema with all its limits, for `GET /v1/contracts`; the thought's field matrix is prose (SPEC 5). */
export const contractSchemas = (): Record<Contract, JsonSchema> => ({
  plan: z.toJSONSchema(contracts.plan, { io: 'input' }),
  thought: z.toJSONSchema(contracts.thought, { io: 'input' }),
  replan: z.toJSONSchema(contracts.replan, { io: 'input' }),
});

/**
 * One contract's schema for structured output: closed objects, nullable fields as `anyOf` null, no lengths or ranges.
 * It admits more than the contract does, so an answer that fits it must still be read against the contract (SPEC 5).
 */
export const contractSchema = (contract: Contract): JsonSchema => compilable(contractSchemas()[contract]);

/** Keeps the keywords that structured output compiles: a server refuses the whole request for any other. */
function compilable(schema: JsonSchema): JsonSchema {
  const { type, const: only, enum: values, anyOf, items, properties, required } = schema;
  return {
    ...(type !== undefined && { type }),
    ...(only !== undefined && { const: only }),
    ...(values !== undefined && { enum: values }),
    ...(anyOf !== undefined && { anyOf: (anyOf as JsonSchema[]).map(compilable) }),
    ...(items !== undefined && { items: compilable(items as JsonSchema) }),
    ...(properties !== undefined && {
      properties: Object.fromEntries(
        Object.entries(properties as Record<string, JsonSchema>).map(([name, child]) => [name, compilable(child)]),
      ),
      required: required ?? [],
      additionalProperties: false,
    }),
  };
}
