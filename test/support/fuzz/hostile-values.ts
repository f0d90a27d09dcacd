import fc from 'fast-check';

/** What users, pages and scanners send where a text is expected. */
export const hostileTexts: readonly string[] = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  '\u202e\u2066',
  '{{7*7}}',
  '$(reboot)',
  "'; DROP TABLE sessions;--",
  '../../../../etc/passwd',
  '%2e%2e%2f',
  '__proto__',
  'constructor',
  '<think>',
  '/'.repeat(500),
  '/plan '.repeat(200),
  `/todo add${' a'.repeat(4_000)}`,
  `/todo search ${'word '.repeat(2_000)}`,
  '/schedule view month',
  '/schedule add every minute look up at 9am',
  '/help /help',
  `[Step]${' '.repeat(4_000)}x\ry`,
  '！？。，'.repeat(2_000),
  '{a:1} '.repeat(2_000),
  '['.repeat(5_000),
  '{"a":'.repeat(2_000),
  '"'.repeat(5_000),
  '\\'.repeat(5_000),
  '\n'.repeat(5_000),
  '1'.repeat(5_000),
  '👩‍👩‍👧‍👦'.repeat(500),
  'a\u0301'.repeat(2_000),
  '继续'.repeat(2_000),
  'x'.repeat(32 * 1024),
  'x'.repeat(33 * 1024),
];

/** Values of every kind at their edges. */
export const hostileValues = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e308,
    2 ** 53,
    [],
    {},
    [[]],
    [null],
    { toString: null },
    ...hostileTexts,
  ),
  fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' }),
  fc.string({ unit: 'binary', maxLength: 200 }),
);

/** Bodies that are no JSON, or JSON that no service should have to parse. */
export const hostileBodies: fc.Arbitrary<Buffer> = fc.oneof(
  fc
    .constantFrom(
      '',
      ' ',
      'null',
      '[]',
      '""',
      'NaN',
      '{"input":"a","input":"b"}',
      '{"__proto__":{"input":"x"},"input":"y"}',
      '{"constructor":{"prototype":{"x":1}},"input":"y"}',
      '{"input":"\\ud800"}',
      '{"input":"\\u0000"}',
      '\ufeff{"input":"x"}',
      '['.repeat(100_000),
      `${'['.repeat(20_000)}${']'.repeat(20_000)}`,
      '{"a":'.repeat(40_000),
      `{${Array.from({ length: 15_000 }, (_, i) => `"k${i}":0`).join(',')}}`,
      `[${'0,'.repeat(100_000)}0]`,
      `{"input":"${'x'.repeat(300_000)}"}`,
      `{"input":${'1'.repeat(100_000)}}`,
      '{"v":1}\n'.repeat(2_000),
      '\n'.repeat(100_000),
    )
    .map((text) => Buffer.from(text)),
  fc.uint8Array({ maxLength: 200 }).map((bytes) => Buffer.from(bytes)),
);

/** The short ones of them, as they go out in one piece with the head. */
export const shortBodies = hostileBodies.filter((body) => body.length < 1_000);

/** Segments of a path as they go over the wire, whole or not. */
export const hostileSegments: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    ...['%', '%zz', '%ff', '%c0%af', '%00', '%0a', '%2f', '%2e%2e', '..', '.', '~', '*', '__proto__', 'constructor'],
    ...['%F0%9F%98%80', 'a%20b', 'a+b', 'x'.repeat(300), 'x'.repeat(9_000), '0', '-1', '1e3', 'null', 'undefined'],
    ...['task_', 'turn_', 'task_0', '{task_id}', ':id', '%25', ';a=b', 'a;b', "'", '"', '<'],
  ),
  fc.string({ unit: 'binary', maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed())),
);
