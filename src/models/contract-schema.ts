import { contractSchemas, type JsonSchema } from '../../contracts/answer.ts';
import type { ModelRequest } from './port.ts';

/**
 * One contract's schema for structured output: closed objects, nullable fields as `anyOf` null, no lengths or ranges.
 * It admits more than the contract does, so an answer that fits it must still be read against the contract (SPEC 5). Made with the
 * first call: the conversion takes some 10 ms.
 */
export const contractSchema = (contract: ModelRequest['contract']): JsonSchema => {
  compiled[contract] ??= compilable(contractSchemas()[contract]);
  return compiled[contract];
};

const compiled: { [Contract in ModelRequest['contract']]?: JsonSchema } = {};

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
