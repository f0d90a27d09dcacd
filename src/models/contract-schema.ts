import { contractSchemas, type JsonSchema } from '../../contracts/answer.ts';
import type { ModelRequest } from './port.ts';

/** The contracts' schemas for structured output, which admit more than the contracts do: an answer must still be read against its contract (SPEC 5). */
export const structuredSchemas = (): Record<ModelRequest['contract'], JsonSchema> => {
  const { plan, thought, replan } = contractSchemas();
  return { plan: compilable(plan), thought: compilable(thought), replan: compilable(replan) };
};

/** Keeps the keywords that structured output compiles: a server refuses the whole request for any other. */
const compilable = (schema: JsonSchema): JsonSchema => {
  const { anyOf, items, properties, required } = schema;
  const plain = ['type', 'const', 'enum'].filter((keyword) => schema[keyword] !== undefined);
  return {
    ...Object.fromEntries(plain.map((keyword) => [keyword, schema[keyword]])),
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
};
