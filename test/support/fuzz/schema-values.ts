import fc from 'fast-check';
import type { Schema } from './api.ts';
import { hostileTexts, hostileValues } from './hostile-values.ts';

/** Most elements and characters of a valid value: beyond it nothing new is found, and everything takes longer. */
const SIZE_MAX = 40;

/** Texts that a user of the service sends: most inputs are one of them, since random ones are all routed alike. */
const phrases: readonly string[] = [
  'Add milk to my todos',
  'Add milk and bread to my todos, then schedule a meeting with Anna tomorrow at 10am',
  'Schedule a meeting with Anna',
  'remind me to stretch in 10 minutes',
  'What is 2 + 2?',
  'tomorrow at 3pm',
  'yes',
  'no',
  '把牛奶加入待办',
  '明天下午三点和安娜开会',
  'continue',
  '继续',
  '/cancel',
  '取消任务',
  '/continue',
  '/resume',
  '/status',
  '/help',
  '/nonsense',
  '/todo list',
  '/todo add milk',
  '/todo done 1',
  '/todo search milk',
  '/plan',
  '/plan add Rest',
  '/plan drop 1',
  '/plan move 1 2',
  '/planning list',
  '/schedule list',
  '/schedule view week',
  '/trace',
];

/** Addresses for what is to be a URL: none is reached from a test. */
const addresses = [
  'http://127.0.0.1:9/',
  'https://[::1]/x',
  'http://callback.invalid/a',
  'http://10.0.0.1/',
  'ftp://x/',
  'x:',
];

/** Fields whose values no schema describes, by their name. */
const knownTexts: Readonly<Record<string, readonly string[]>> = {
  timezone: ['UTC', 'Asia/Tokyo', 'America/New_York', 'Europe/Berlin', 'Pacific/Apia'],
};

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
        fc.integer({ min: Math.max(schema.minimum ?? -10, -(2 ** 31)), max: Math.min(schema.maximum ?? 40, 40) }),
        fc.maxSafeInteger(),
      );
    case 'number':
      return fc.double({ noNaN: true });
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array': {
      const { items = {}, minItems: minLength = 0, maxItems = SIZE_MAX } = schema;
      return fc.array(validValues(items, root), { minLength, maxLength: Math.min(maxItems, SIZE_MAX), size: 'small' });
    }
    case 'object': {
      const { properties = {}, required = [] } = schema;
      const values = Object.entries(properties).map(([name, each]) => {
        const known = knownTexts[name];
        return [name, known === undefined ? validValues(each, root) : fc.constantFrom(...known)] as const;
      });
      return fc.record(Object.fromEntries(values), { requiredKeys: required, noNullPrototype: true });
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
      ...fieldChoices(schema).map((arbitrary, i) => ({
        weight: i === 0 ? FIRST_CHOICE : 1,
        arbitrary: validValues(arbitrary, root),
      })),
    );
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices !== undefined) return fc.oneof(...choices.map((each) => validValues(each, root)));
  return fc.oneof(...[schema.type ?? 'any'].flat().map((type) => kindOf(schema, type, root)));
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Values that are nearly what a schema allows: a valid one with a field exchanged, dropped or added; or something else altogether. */
export const brokenValues = (schema: Schema, root: Definitions): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 1, arbitrary: hostileValues },
    {
      weight: 4,
      arbitrary: fc
        .tuple(validValues(schema, root), hostileValues, fc.nat(9), fc.constantFrom('exchange', 'drop', 'add', 'nest'))
        .map(([value, hostile, which, how]) => {
          if (!isObject(value)) return hostile;
          const names = Object.keys(value);
          const name = names[which % Math.max(1, names.length)] ?? 'input';
          switch (how) {
            case 'exchange':
              return { ...value, [name]: hostile };
            case 'drop':
              return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name));
            case 'add':
              return { ...value, [which % 2 === 0 ? 'unknown' : 'constructor']: hostile };
            default:
              return { ...value, [name]: { [name]: value[name] } };
          }
        }),
    },
  );
