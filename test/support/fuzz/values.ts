import fc from 'fast-check';
import type { Schema } from './description.ts';

/** Most elements and characters of a valid value: beyond it nothing new is found, and everything takes longer. */
const SIZE_MAX = 40;

/** Texts that a user of the service sends: most inputs are one of them, since random ones are all routed alike. */
const phrases: readonly string[] = [
  ...['Add milk to my todos', 'Schedule a meeting with Anna', 'What is 2 + 2?', 'tomorrow at 3pm', 'yes', 'no'],
  ...[
    '把牛奶加入待办',
    '明天下午三点和安娜开会',
    'continue',
    '继续',
    '/cancel',
    '/continue',
    '/resume',
    '/status',
    '/help',
  ],
  ...['/nonsense', '/todo list', '/todo add milk', '/todo done 1', '/plan', '/plan add Rest', '/plan drop 1'],
  ...['/plan move 1 2', '/schedule list', '/schedule view week'],
];

/** Texts of pages and scanners, sent where a text is expected. */
export const hostileTexts: readonly string[] = [
  ...['', ' ', '\u0000', '\ud800', '\u202e\u2066', "'; DROP TABLE sessions;--", '../../../../etc/passwd', '%2e%2e%2f'],
  ...['__proto__', 'constructor', '<think>', '/'.repeat(500), '['.repeat(5_000), '{"a":'.repeat(2_000)],
  ...['\n'.repeat(5_000), '1'.repeat(5_000), '👩‍👩‍👧‍👦'.repeat(500), 'x'.repeat(32 * 1024), 'x'.repeat(33 * 1024)],
];

/** Values of every kind at their edges. */
const hostileValues = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1.5, 1e308, 2 ** 53, [], {}, [[]], { toString: null }, ...hostileTexts),
  fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
);

/** Addresses for what is to be a URL: none is reached from a test. */
const addresses = ['http://127.0.0.1:9/', 'http://callback.invalid/a', 'http://10.0.0.1/', 'ftp://x/', 'x:'];

const textsOf = ({ pattern, minLength = 0, maxLength = SIZE_MAX, format }: Schema): fc.Arbitrary<string> => {
  if (format === 'uri') return fc.constantFrom(...addresses);
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u');
    // fast-check knows no lookahead: such texts are picked from ordinary names.
    if (/\(\?[=!<]/.test(pattern))
      return fc.stringMatching(/^[a-z][a-z0-9_.-]{0,8}$/).filter((text) => expression.test(text));
    return fc.stringMatching(expression, { size: 'small' });
  }
  const size = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, SIZE_MAX)) };
  const fits = phrases.filter((phrase) => phrase.length >= minLength && phrase.length <= maxLength);
  return fc.oneof(
    { weight: 6, arbitrary: fits.length > 0 ? fc.constantFrom(...fits) : fc.string(size) },
    { weight: 2, arbitrary: fc.string({ ...size, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.constantFrom(...hostileTexts) },
  );
};

const kindOf = (schema: Schema, type: string, root: Definitions): fc.Arbitrary<unknown> => {
  switch (type) {
    case 'string':
      return textsOf(schema);
    case 'integer':
      return fc.oneof(
        fc.integer({ min: Math.max(schema.minimum ?? -10, -10), max: Math.min(schema.maximum ?? 40, 40) }),
        fc.maxSafeInteger(),
      );
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems = SIZE_MAX } = schema;
      return fc.array(validValues(items, root), { minLength, maxLength: Math.min(maxItems, SIZE_MAX), size: 'small' });
    }
    case 'object': {
      const values = Object.entries(schema.properties ?? {}).map(([name, each]) => [
        name,
        name === 'timezone' ? fc.constantFrom('UTC', 'Asia/Tokyo', 'America/New_York') : validValues(each, root),
      ]);
      return fc.record(Object.fromEntries(values), {
        requiredKeys: (schema.required ?? []) as never[],
        noNullPrototype: true,
      });
    }
    default:
      return fc.jsonValue({ maxDepth: 2 });
  }
};

/** How much more often an object has the first of the fields of which it has one: the others stand in its place. */
const FIRST_CHOICE = 9;

/** An object that has one of several fields, as one schema for each of them, without the others. */
const fieldChoices = ({ oneOf = [], ...schema }: Schema): Schema[] =>
  oneOf.map(({ required = [] }) => {
    const others = oneOf.flatMap((each) => each.required ?? []).filter((name) => !required.includes(name));
    const properties = Object.entries(schema.properties ?? {}).filter(([name]) => !others.includes(name));
    return {
      ...schema,
      properties: Object.fromEntries(properties),
      required: [...(schema.required ?? []), ...required],
    };
  });

/** The schemas that a description names. */
export type Definitions = Readonly<Record<string, Schema>>;

/** Values that a schema allows; some break limits that it does not express, such as one in bytes. */
export const validValues = (schema: Schema, root: Definitions): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return validValues(root[schema.$ref.split('/').at(-1) ?? ''] ?? {}, root);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  if (schema.properties !== undefined && schema.oneOf !== undefined)
    return fc.oneof(
      ...fieldChoices(schema).map((each, i) => ({
        weight: i === 0 ? FIRST_CHOICE : 1,
        arbitrary: validValues(each, root),
      })),
    );
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((each) => validValues(each, root)));
  return fc.oneof(...[schema.type ?? 'any'].flat().map((type) => kindOf(schema, type, root)));
};

/** Values that are nearly what a schema allows, a valid one with a field exchanged, dropped or added; or something else altogether. */
export const brokenValues = (schema: Schema, root: Definitions): fc.Arbitrary<unknown> =>
  fc
    .tuple(validValues(schema, root), hostileValues, fc.nat(9), fc.constantFrom('exchange', 'drop', 'add', 'replace'))
    .map(([value, hostile, which, how]) => {
      if (typeof value !== 'object' || value === null || Array.isArray(value) || how === 'replace') return hostile;
      const names = Object.keys(value);
      const name = names[which % Math.max(1, names.length)] ?? 'input';
      if (how === 'exchange') return { ...value, [name]: hostile };
      if (how === 'add') return { ...value, [which % 2 === 0 ? 'unknown' : 'constructor']: hostile };
      return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
    });
