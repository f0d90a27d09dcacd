import { contractSchemas, type JsonSchema } from '../../contracts/answer.ts';
import type { ModelRequest } from './port.ts';

/** The contracts' schemas for structured output, which admit more than the contracts do: an answer must still be read against its contract (SPEC 5). */
export const structuredSchemas = (): Record<ModelRequest['contract'], JsonSchema> => {
  const { plan, thought, replan } = contractSchemas();
  // A task's own answer has a schema of its own, and without one there is none.
  const { answer: _, ...properties } = replan['properties'] as Record<string, JsonSchema>;
  return { plan: compilable(plan), thought: compilable(thought), replan: compilable({ ...replan, properties }) };
};

/** A replan's schema with that of its task's answer; null where structured output can't express it. */
export const withAnswer = (replan: JsonSchema, answer: JsonSchema): JsonSchema | null =>
  isCompilable(answer)
    ? { ...replan, properties: { ...(replan['properties'] as JsonSchema), answer: compilable(answer) } }
    : null;

/** True for a schema that names its values: structured output knows no objects of any keys, no lists of anything. */
const isCompilable = (schema: JsonSchema): boolean => {
  const { type, properties = {}, additionalProperties, items, oneOf, anyOf = oneOf } = schema;
  const types = [type].flat();
  const inside = Object.values(properties as Record<string, JsonSchema>);
  if (anyOf !== undefined) return (anyOf as JsonSchema[]).every(isCompilable);
  if (type === undefined) return 'enum' in schema || 'const' in schema;
  if (types.includes('array') && (items === undefined || !isCompilable(items as JsonSchema))) return false;
  if (!types.includes('object')) return true;
  return inside.length > 0 && typeof additionalProperties !== 'object' && inside.every(isCompilable);
};

/** Keeps the keywords that structured output compiles: a server refuses the whole request for any other. */
const compilable = (schema: JsonSchema): JsonSchema => {
  const { oneOf, anyOf = oneOf, items, properties, required } = schema;
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
