import fc from 'fast-check';

/** The part of JSON Schema that the description uses. */
export interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  minItems?: number;
  maxItems?: number;
  minLength?: number;
  maxLength?: number;
  pattern?: string;
  format?: string;
  minimum?: number;
  maximum?: number;
}

/** The schemas that a description names. */
export type Definitions = Readonly<Record<string, Schema>>;

/** Most elements and characters of a valid value: larger ones find nothing new and take longer. */
const SIZE_MAX = 40;

/** Texts that a user of the service sends: random ones are all routed alike. */
const PHRASES = [
  ...[
    'Add milk to my todos',
    'Schedule a meeting with Anna',
    'tomorrow at 3pm',
    '明天下午三点和安娜开会',
    'yes',
    '继续',
  ],
  ...['/cancel', '/continue', '/status', '/help', '/todo list', '/todo add milk', '/plan add Rest', '/schedule list'],
];

/** Texts of pages and scanners, sent where a text is expected. */
export const HOSTILE_TEXTS = [
  ...['', '\u0000', '\ud800', '\u202e\u2066', "'; DROP TABLE sessions;--", '../../../../etc/passwd', '%2e%2e%2f'],
  ...['__proto__', '<think>', '['.repeat(5_000), '\n'.repeat(5_000), '👩‍👩‍👧‍👦'.repeat(500), 'x'.repeat(33 * 1024)],
];

const hostileValues = fc.oneof(
  fc.constantFrom<unknown>(null, true, 0, -1, 1e308, 2 ** 53, [], {}, [[]], { toString: null }, ...HOSTILE_TEXTS),
  fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
);

/** Addresses for URL fields, none of which a test reaches. */
const ADDRESSES = ['http://127.0.0.1:9/', 'http://callback.invalid/a', 'http://10.0.0.1/', 'ftp://x/', 'x:'];

const texts = ({ pattern, minLength = 0, maxLength = SIZE_MAX, format }: Schema): fc.Arbitrary<string> => {
  if (format === 'uri') return fc.constantFrom(...ADDRESSES);
  if (format === 'date-time') return fc.date({ noInvalidDate: true }).map((date) => date.toISOString());
  if (pattern !== undefined) {
    const expression = new RegExp(pattern, 'u');
    // fast-check does not support lookahead: such texts are picked from ordinary names.
    return /\(\?[=!<]/.test(pattern)
      ? fc.stringMatching(/^[a-z][a-z0-9_.-]{0,8}$/).filter((text) => expression.test(text))
      : fc.stringMatching(expression, { size: 'small' });
  }
  const size = { minLength, maxLength: Math.max(minLength, Math.min(maxLength, SIZE_MAX)) };
  const fits = PHRASES.filter((phrase) => phrase.length >= minLength && phrase.length <= maxLength);
  return fc.oneof(
    { weight: 6, arbitrary: fits.length > 0 ? fc.constantFrom(...fits) : fc.string(size) },
    { weight: 2, arbitrary: fc.string({ ...size, unit: 'grapheme' }) },
    { weight: 1, arbitrary: fc.constantFrom(...HOSTILE_TEXTS) },
  );
};

const valuesOf = (schema: Schema, type: string, root: Definitions): fc.Arbitrary<unknown> => {
  const { minimum = -10, maximum = 40, items = {}, minItems: minLength = 0, maxItems = SIZE_MAX } = schema;
  const { properties = {}, required = [] } = schema;
  if (type === 'string') return texts(schema);
  if (type === 'boolean') return fc.boolean();
  if (type === 'null') return fc.constant(null);
  if (type === 'integer') return fc.integer({ min: Math.max(minimum, -10), max: Math.min(maximum, 40) });
  if (type === 'array')
    return fc.array(validValues(items, root), { minLength, maxLength: Math.min(maxItems, SIZE_MAX), size: 'small' });
  if (type !== 'object') return fc.jsonValue({ maxDepth: 2 });
  const fields = Object.entries(properties).map(([name, each]) => [
    name,
    name === 'timezone' ? fc.constantFrom('UTC', 'Asia/Tokyo') : validValues(each, root),
  ]);
  return fc.record(Object.fromEntries(fields), { requiredKeys: required as never[], noNullPrototype: true });
};

/** The alternatives of an object that has one of several fields, each as a schema without the others. */
const fieldChoices = ({ oneOf = [], properties = {}, required = [], ...schema }: Schema): Schema[] =>
  oneOf.map((choice) => {
    const others = oneOf.flatMap((each) => (each === choice ? [] : (each.required ?? [])));
    const left = Object.entries(properties).filter(([name]) => !others.includes(name));
    return { ...schema, properties: Object.fromEntries(left), required: [...required, ...(choice.required ?? [])] };
  });

/** Values that a schema allows. Some exceed limits that it does not express, such as one in bytes. */
export const validValues = (schema: Schema, root: Definitions): fc.Arbitrary<unknown> => {
  if (schema.$ref !== undefined) return validValues(root[schema.$ref.split('/').at(-1) ?? ''] ?? {}, root);
  if (schema.const !== undefined) return fc.constant(schema.const);
  if (schema.enum !== undefined) return fc.constantFrom(...schema.enum);
  const isOneField = schema.properties !== undefined && schema.oneOf !== undefined;
  const choices = isOneField ? fieldChoices(schema) : (schema.anyOf ?? schema.oneOf);
  // The first field is the usual one, which the others replace.
  if (choices !== undefined)
    return fc.oneof(
      ...choices.map((each, i) => ({ weight: isOneField && i === 0 ? 9 : 1, arbitrary: validValues(each, root) })),
    );
  return fc.oneof(...[schema.type ?? 'any'].flat().map((type) => valuesOf(schema, type, root)));
};

/**
 * Values that a schema nearly allows: a valid one with a field exchanged, dropped or added; or something else
 * altogether.
 */
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
