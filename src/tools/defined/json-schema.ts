/** A JSON Schema as it comes from zod or from a third-party server: any key may have any value. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** Whether a value is an object with named fields: no list, no null. */
export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** A schema's fields in order, each with its own schema; none where it lists no fields. */
export const fieldsOf = (schema: JsonSchema): [name: string, field: JsonSchema][] =>
  Object.entries(isRecord(schema['properties']) ? schema['properties'] : {}).map(([name, field]) => [
    name,
    isRecord(field) ? field : {},
  ]);

/** The names of the fields that must be there. */
export const requiredOf = (schema: JsonSchema): string[] => {
  const { required } = schema;
  return Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
};

/** The field that plain text is taken for: the only one there is, where that is a required string. Else null. */
export const textFieldOf = (schema: JsonSchema): string | null => {
  const [only, ...more] = fieldsOf(schema);
  if (only === undefined || more.length > 0 || only[1]['type'] !== 'string') return null;
  return requiredOf(schema).includes(only[0]) ? only[0] : null;
};
