import { stringify } from 'yaml';
import type { Answer, Value } from './base-answers.ts';

/** Texts that no longer say for sure what the answer was; each has to be refused, or read as the answer itself. */
export type Loss = (value: Answer) => string[];

const json = (value: Value): string => JSON.stringify(value);
const pretty = (value: Value): string => JSON.stringify(value, null, 2);
const DRAFT = '{"status":"done","response":"a draft"}';
const PLAN_DRAFT = '{"status":"planned","plan":["a draft"]}';
const DRAFTS = [DRAFT, PLAN_DRAFT];
const changed = (value: Answer): Answer => ({
  ...value,
  status: 'done',
  next_action: null,
  question: null,
  response: 'changed',
});

/** Each text without one of the characters that make its structure; those within strings are not looked at. */
const withoutEach = (text: string, chars: string): string[] => {
  const structure = text.replaceAll(/"(?:[^"\\]|\\.)*"/g, (string) => `"${'x'.repeat(string.length - 2)}"`);
  return [...structure].flatMap((char, at) => (chars.includes(char) ? [text.slice(0, at) + text.slice(at + 1)] : []));
};

const spots = (text: string, count: number): number[] =>
  Array.from({ length: count }, (_, i) => Math.floor(((i + 1) * text.length) / (count + 1)));

export const losses: [name: string, loss: Loss][] = [
  [
    'quotes in strings that are not escaped',
    (value) =>
      [json(value), pretty(value)]
        .map((text) => text.replaceAll('\\"', '"'))
        .filter((text) => text !== json(value) && text !== pretty(value)),
  ],
  [
    'one quote in a string that is not escaped',
    (value) =>
      [...json(value).matchAll(/\\"/g)].map(({ index }) => json(value).slice(0, index) + json(value).slice(index + 1)),
  ],
  [
    'apostrophes that are not escaped',
    (value) =>
      [json(value).replaceAll('\\"', '§').replaceAll('"', "'").replaceAll('§', '"')].filter((text) =>
        /[a-z]'[a-z]/.test(text),
      ),
  ],
  ['a quote lost', (value) => withoutEach(json(value), '"')],
  ['a closer lost', (value) => withoutEach(json(value), '}]')],
  ['an opener lost', (value) => withoutEach(json(value), '{[')],
  ['a colon lost', (value) => withoutEach(json(value), ':')],
  [
    'a comma lost between strings',
    (value) =>
      [json(value).replace('","', '""'), json(value).replace('","', '" "')].filter((text) => text !== json(value)),
  ],
  [
    'another object beside it',
    (value) => [
      `${json(value)}\n${json(changed(value))}`,
      `First ${json(changed(value))}, better: \`\`\`json\n${json(value)}\n\`\`\``,
    ],
  ],
  ['a draft beside it', (value) => DRAFTS.map((draft) => `${draft}\n\n${json(value)}`)],
  [
    'an unreadable object beside it',
    (value) => [
      `{"status": <status>} ${json(value)}`,
      `${json(value)} {"plan": [...]}`,
      `{status: continue} ${json(value)}`,
    ],
  ],
  [
    'a key twice with different values',
    (value) => [`{"status":"other",${json(value).slice(1)}`, `${json(value).slice(0, -1)},"st\\u0061tus":"other"}`],
  ],
  [
    'an input twice',
    (value) =>
      [
        json(value).replace('"input":', '"input":"rm -rf /","input":'),
        json(value).replace(/\}/, ',"input":"rm -rf /"}'),
      ].filter(
        (text) => text.includes('"input":"rm') && value['next_action'] !== null && value['next_action'] !== undefined,
      ),
  ],
  [
    'a reserved key',
    (value) => [
      `{"__proto__":{},${json(value).slice(1)}`,
      `${json(value).slice(0, -1)},"constructor":1}`,
      `{'constructor':{},${json(value).slice(1)}`,
    ],
  ],
  [
    'reasoning that never closes',
    (value) =>
      [
        '<think>',
        '<thinking>',
        '<reasoning>',
        '<reflection>',
        '<thought>',
        '<scratchpad>',
        '[THINK]',
        '<|channel|>analysis<|message|>',
        '<think><think>a</think>',
      ].map((tag) => `${tag}Perhaps ${json(value)}? Or rather`),
  ],
  [
    'dots in place of a value',
    (value) => [
      json(value).replace(/:"[^"]*"/, ':...'),
      json(value).replace(/:"[^"]*"/, ':…'),
      `${json(value).slice(0, -1)},...}`,
      `${json(value).slice(0, -1)}, // ...\n}`,
    ],
  ],
  [
    'dots in place of items',
    (value) =>
      Array.isArray(value['plan']) && value['plan'].length > 0
        ? [
            json(value).replace(/\]\}$/, ',...]}'),
            json(value).replace(/\]\}$/, ', /* ... */]}'),
            json(value).replace(/\]\}$/, ',,"x"]}'),
            json(value).replace('"plan":[', '"plan":[,'),
          ].filter((text) => text !== json(value))
        : [],
  ],
  ['a value that is a bare word', (value) => [json(value).replace(/:"([^"]*)"/, ':$1')]],
  [
    'a comment right behind a string',
    (value) =>
      [`${json(value).slice(0, -1)} // "or"\n}`.replace('null //', '"x" //')].filter((text) => text.includes('"x" //')),
  ],
  [
    'an input cut by a comment',
    (value) =>
      value['next_action']
        ? [
            json({ ...value, next_action: { tool: 'sh', input: '§' } }).replace('§', 'rm -rf "//tmp/a"\n'),
            json({ ...value, next_action: { tool: 'sh', input: '§' } }).replace('§', 'rm -rf "/*tmp"*/'),
          ]
        : [],
  ],
  [
    'an escape that means nothing',
    (value) => [json(value).replace(/:"([^"\\])/, ':"\\d$1'), json(value).replace(/:"([^"\\])/, ':"\\q$1')],
  ],
  [
    'itself quoted in a broken object',
    (value) => [
      `{"status":"continue","next_action":{"tool":"say","input":"${json(value)}"}}`,
      `{"status": oops, "input": ${json(value)}}`,
      `{result: ${json(value)}}`,
      `{ draft ${json(value)} }`,
      `["x", ${json(value)}]`,
      `{'a': 'it's', 'b': ${json(value)}}`,
    ],
  ],
  ['in a list', (value) => [`[${json(value)}]`, `Here: [ ${json(value)}, ${json(changed(value))} ]`]],
  ['encoded twice', (value) => [json(json(json(value))), json(value).replaceAll('"', '&amp;quot;')]],
  ['its beginning lost', (value) => spots(json(value), 12).map((at) => json(value).slice(at))],
  [
    'its middle lost',
    (value) =>
      spots(json(value), 8)
        .map((at) => json(value).slice(0, at) + json(value).slice(at + 9))
        .filter((text) => (text.match(/(?<!\\)"/g)?.length ?? 0) % 2 === 1),
  ],
];

/** Whole texts whose every beginning is looked at: up to the end of the object none may be taken. */
export const truncated = (value: Answer): { text: string; ends: number }[] =>
  [
    json(value),
    pretty(value),
    `Sure:\n\`\`\`json\n${json(value)}\n\`\`\``,
    `<think>Maybe ${DRAFT}</think>\n${json(value)}`,
    json(value).replaceAll('"', "'"),
    `const answer = ${json(value)};`,
  ]
    .map((text) => ({ text, ends: text.lastIndexOf('}') }))
    .concat({ text: `\`\`\`yaml\n${stringify(value)}`, ends: stringify(value).length + 8 });
