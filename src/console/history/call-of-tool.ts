import type { IconName } from '../design/icon.tsx';

/** Words in a tool's name, and the drawing that says what it deals with. */
const drawings: readonly (readonly [RegExp, IconName])[] = [
  [/mail|message|notify|reply/i, 'mail'],
  [/refund|pay|charge/i, 'refund'],
  [/image|photo|picture|screenshot/i, 'image'],
  [/web|http|fetch|url|browse|page|internet/i, 'globe'],
  [/search|find|query|lookup|grep/i, 'search'],
  [/code|shell|run|exec|test|git/i, 'code'],
  [/file|read|write|document|invoice|note|memory|skill/i, 'page'],
  [/todo|plan|task/i, 'plan'],
  [/agent|ask|person|user/i, 'person'],
];

/** The drawing of a tool, by its name. */
export const toolIcon = (tool: string): IconName => drawings.find(([words]) => words.test(tool))?.[1] ?? 'box';

/** The first line of a text that has one. */
export const firstLine = (text: string): string =>
  text
    .slice(0, 2_000)
    .split('\n')
    .map((line) => line.trim())
    .find((line) => line !== '') ?? '';

/** Longest argument in a line, in characters. */
const ARGUMENT_CHARS_MAX = 120;

const isScalar = (value: unknown): value is string | number =>
  (typeof value === 'string' && value !== '') || typeof value === 'number';

const inputOf = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
};

/** Names of fields that say what a tool is to do; what it is done with stands in another field. */
const VERB = /^(?:action|command|method|mode|op|operation)$/i;

/** The first plain value of an object; behind a verb, also the one after it. */
const tellingValue = (value: object): string => {
  const [first, second] = Object.entries(value).filter(([, each]) => isScalar(each));
  if (first === undefined) return '';
  return VERB.test(first[0]) && second !== undefined ? `${first[1]} ${firstLine(String(second[1]))}` : String(first[1]);
};

/** The argument that tells a call from another: the first plain value of its input, or its first line. */
export const argumentOf = (input: string): string => {
  const value = inputOf(input);
  const told = typeof value === 'object' && value !== null ? tellingValue(value) : input;
  return firstLine(told)
    .replace(/^https?:\/\/(?:www\.)?/, '')
    .slice(0, ARGUMENT_CHARS_MAX);
};
