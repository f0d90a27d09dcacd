import { stringify } from 'yaml';
import { type Answer, JSON_STYLE, print, type Style, type Value } from './odd-print.ts';

/** Spells or wraps an answer so that nothing of it is lost; null where it says nothing about this answer. */
export type Damage = (value: Answer) => string | null;

const json = (value: Value): string => JSON.stringify(value);
const pretty = (value: Value): string => JSON.stringify(value, null, 2);
const styled =
  (style: Partial<Style>): Damage =>
  (value) =>
    print(value, { ...JSON_STYLE, ...style });
const around =
  (before: string, after: string): Damage =>
  (value) =>
    before + json(value) + after;
const DRAFT = '{"status":"done","response":"a draft"}';
const reasoned = (open: string, close: string): [string, Damage] => [
  `after ${open} and a draft`,
  around(`${open}The user wants it. Maybe ${DRAFT}? No.${close}\n`, ''),
];
const PYTHON = { true: 'True', false: 'False', null: 'None' };
const UNDEFINED = { ...JSON_STYLE.words, null: 'undefined' };

const contains = (value: Value, found: (text: string) => boolean): boolean =>
  typeof value === 'string'
    ? found(value)
    : typeof value === 'object' && value !== null && Object.values(value).some((inner) => contains(inner, found));

/** Prose behind an answer, which takes an action back as often as not. */
export const proseBehind: [name: string, damage: Damage][] = [
  ['a line below', around('', '\n\nHope this helps!')],
  ['on its line', around('我决定：\n', '。谢谢！')],
  ['behind its fence', around('Sure! Here is my decision:\n\n```json\n', '\n```\n\nLet me know.')],
  ['behind a fence of YAML', (value) => `\`\`\`yaml\n${stringify(value)}\`\`\`\nOk?`],
];

export const losslessDamages: [name: string, damage: Damage][] = [
  ['as JSON', json],
  ['over several lines', pretty],
  ['over lines of Windows', (value) => pretty(value).replaceAll('\n', '\r\n')],
  ['after a byte order mark', around('\uFEFF', '\n')],
  ['in a fence', around('```json\n', '\n```')],
  ['in a fence without a name', around('```\n', '\n```')],
  ['in a fence on one line', around('```json ', ' ```')],
  ['in a fence of tildes', around('~~~\n', '\n~~~')],
  ['in a fence that never closes', around('```json\n', '')],
  ['in a fence after prose', around('Sure! Here is my decision:\n\n```json\n', '\n```')],
  ['in a fence after Chinese prose', around('好的，结果如下：\n```json\n', '\n```\n')],
  ['as YAML', (value) => stringify(value)],
  [
    'as YAML in a fence',
    (value) => (contains(value, (text) => text.includes('```')) ? null : `So:\n\`\`\`yaml\n${stringify(value)}\`\`\``),
  ],
  ['after prose', around('My decision:\n', '')],
  ['after Chinese prose', around('我决定：\n', '。')],
  ['after prose with small braces', around('For {x} in {1, 2} and [3]:\n', '')],
  ['in back ticks', around('`', '`')],
  ['in a tag', around('<answer>', '</answer>')],
  ['in a box', around('\\boxed{', '}')],
  ['as an assignment', around('const answer = ', ';')],
  ['as an argument', around('submit(', ')')],
  ['twice', (value) => `${json(value)}\n\nThat is:\n${pretty(value)}`],
  ...['think', 'thinking', 'reasoning', 'reflection', 'thought', 'scratchpad', 'THINK', 'analysis'].map((name) =>
    reasoned(`<${name}>`, `</${name}>`),
  ),
  reasoned('[THINK]', '[/THINK]'),
  reasoned('◁think▷', '◁/think▷'),
  reasoned('<thinking type="deep">', '</thinking>'),
  reasoned('<|channel|>analysis<|message|>', '<|end|><|start|>assistant<|channel|>final<|message|>'),
  reasoned('<think>\n{"status": "do\n', '\n</think>\n'),
  ['after reasoning without its opening tag', around(`It may be ${DRAFT}.\n</think>\n\n`, '')],
  ['after reasoning in reasoning', around('<think>a<think>b</think>c</think>', '')],
  ['before reasoning that never closes', around('', '\n<think>Was that right? {"status":')],
  ['with a trailing comma', styled({ objectCommas: 'trailing' })],
  ['with a trailing comma in lists', styled({ listCommas: 'trailing' })],
  [
    'without commas after closers and literals',
    styled({ objectCommas: 'none after closers', listCommas: 'none after closers' }),
  ],
  ['with single quotes', styled({ quotes: ["'", "'"] })],
  [
    'with back ticks for quotes',
    (value) => (contains(value, (text) => text.includes('${')) ? null : styled({ quotes: ['`', '`'] })(value)),
  ],
  ['with curly quotes', styled({ quotes: ['“', '”'] })],
  ['with single curly quotes', styled({ quotes: ['‘', '’'] })],
  ['with corner brackets', styled({ quotes: ['「', '」'] })],
  ['with full-width quotes', styled({ quotes: ['＂', '＂'] })],
  ['without quotes around keys', styled({ bareKeys: true })],
  ['as Python prints it', styled({ quotes: ["'", "'"], words: PYTHON, gap: ' ' })],
  [
    'as JavaScript',
    styled({ quotes: ["'", "'"], bareKeys: true, words: UNDEFINED, objectCommas: 'trailing', gap: '\n' }),
  ],
  ['with full-width punctuation', styled({ quotes: ['“', '”'], comma: '，', colon: '：' })],
  ['with characters of no width', styled({ gap: '\u200B' })],
  ['with byte order marks between tokens', styled({ gap: ' \uFEFF' })],
  ['with wide blanks', styled({ gap: '\u3000' })],
  ['with strings joined', styled({ isJoined: true })],
  ['with strings joined over lines', styled({ isJoined: true, gap: '\n' })],
  ['with line breaks in strings', styled({ isRaw: true })],
  ['with line breaks in strings, in a fence', (value) => `\`\`\`json\n${styled({ isRaw: true })(value)}\n\`\`\``],
  ["with \\' in strings", (value) => json(value).replaceAll("'", "\\'")],
  ['without commas between lines', (value) => pretty(value).replaceAll(/,$/gm, '')],
  ['with comments in front', (value) => `{ // the "decision", it's {final}\n${json(value).slice(1)}`],
  ['with a comment of a block', (value) => `{ /* "status": "x" */ ${json(value).slice(1)}`],
  ['with a comment of Python', (value) => `{ # it's final\n${json(value).slice(1)}`],
  ['with a comment behind a comma', (value) => `${json(value).slice(0, -1)}, // or "continue"\n}`],
  ['with a comment at the end', (value) => `${json(value).slice(0, -1)} // final\n}`],
  ['with comments on every line', (value) => pretty(value).replaceAll(/,$/gm, ', // next')],
  ['with one closer too many', around('', '}')],
  ['with three closers too many', around('', '}\n]}')],
  ['with closers too many in a fence', around('```json\n', '}\n```')],
  ['with other keys', (value) => json({ confidence: 0.9, notes: ['a', null], ...value, extra: { a: { b: true } } })],
  ['with its keys in another order', (value) => json(Object.fromEntries(Object.entries(value).reverse()))],
  [
    'in single quotes in a fence after reasoning',
    (value) =>
      `<think>hm</think>\n\`\`\`json\n${styled({ quotes: ["'", "'"], objectCommas: 'trailing' })(value)}\n\`\`\``,
  ],
];
