import { fieldsOf, isRecord, type JsonSchema, requiredOf } from './json-schema.ts';

/** Levels of objects and lists that an example goes down: a hostile schema may refer to itself. */
const EXAMPLE_DEPTH_MAX = 4;

const texts: Record<string, string> = {
  date: '2026-01-31',
  time: '09:00:00',
  'date-time': '2026-01-31T09:00:00Z',
  email: 'ada@example.com',
  uri: 'https://example.com',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
};

const first = (list: unknown): unknown => (Array.isArray(list) ? list[0] : undefined);

const exampleNumber = ({ minimum, exclusiveMinimum, maximum }: JsonSchema): number => {
  if (typeof minimum === 'number' && Number.isFinite(minimum) && minimum > 1) return minimum;
  if (typeof exclusiveMinimum === 'number' && exclusiveMinimum >= 1) return exclusiveMinimum + 1;
  return typeof maximum === 'number' && maximum < 1 ? maximum : 1;
};

/**
 * A value of the form that a schema asks for: its own example, default or constant where it gives one. An object shows its
 * required fields, or its first where none is. Patterns and lengths are not looked at, so it illustrates and proves nothing.
 */
export const exampleOf = (schema: JsonSchema, depth = 0): unknown => {
  const given = first(schema['examples']) ?? schema['default'] ?? schema['const'] ?? first(schema['enum']);
  if (given !== undefined) return given;
  const variant = first(schema['anyOf']) ?? first(schema['oneOf']);
  if (depth >= EXAMPLE_DEPTH_MAX) return null;
  if (isRecord(variant)) return exampleOf(variant, depth + 1);
  switch (Array.isArray(schema['type']) ? schema['type'][0] : schema['type']) {
    case 'string':
      return texts[String(schema['format'])] ?? 'text';
    case 'integer':
    case 'number':
      return exampleNumber(schema);
    case 'boolean':
      return true;
    case 'array':
      return isRecord(schema['items']) ? [exampleOf(schema['items'], depth + 1)] : [];
    default: {
      const fields = fieldsOf(schema);
      const required = requiredOf(schema);
      const shown = required.length > 0 ? fields.filter(([name]) => required.includes(name)) : fields.slice(0, 1);
      return Object.fromEntries(shown.map(([name, field]) => [name, exampleOf(field, depth + 1)]));
    }
  }
};
