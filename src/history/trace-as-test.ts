import { plainLine } from '../../contracts/text.ts';
import type { TraceEntry } from '../../contracts/trace.ts';

/** Longest goal in a test's name, in characters. */
const NAME_CHARS_MAX = 80;

/** Characters that could hide or reorder code on a screen, and which JSON does not escape. */
const UNSEEN = /[\u007f-\u009f\u2028\u2029]|\p{Cf}/gu;

const escaped = (unseen: string): string =>
  unseen.replace(/[\s\S]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A value as an expression that is the same in code and in JSON. */
const literal = (value: unknown): string => JSON.stringify(value).replace(UNSEEN, escaped);

const nameOf = (entries: readonly TraceEntry[]): string => {
  const opened = entries.map(({ event }) => event).find(({ type }) => type === 'task.opened');
  return opened?.type === 'task.opened' ? `replays: ${plainLine(opened.goal, NAME_CHARS_MAX)}` : 'replays';
};

/** A trace as the source of a vitest test that replays it. The contents of entries are quoted: none of it ever runs. */
export const traceAsTest = (entries: Iterable<TraceEntry>): string => {
  const all = [...entries];
  return [
    `import { expectTrace } from ${literal('tripact/testing')};`,
    `import { it } from ${literal('vitest')};`,
    '',
    '// One entry a line, as `tripact trace` gives them; change none by hand.',
    'const trace = [',
    ...all.map((entry) => `  ${literal(entry)},`),
    '];',
    '',
    `it(${literal(nameOf(all))}, async () => {`,
    '  await expectTrace(trace).toReplay();',
    '});',
    '',
  ].join('\n');
};
