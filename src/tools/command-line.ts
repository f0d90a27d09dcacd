import type { z } from 'zod';
import { messages } from '../../contracts/messages/messages.ts';
import type { ToolResult } from '../../contracts/task.ts';
import { type Language, plainLine } from '../../contracts/text.ts';
import { hasRoundedNumber } from '../lib/exact-json.ts';
import type { Queries } from '../lib/queries.ts';
import type { ToolHelp } from './port.ts';

/** Longest word of an input that its refusal repeats, in characters. */
const WORD_SHOWN_MAX = 60;

/** The fault of an input in a sentence for people, not in its schema's words. */
const refusalOf = (given: unknown, issue: z.core.$ZodIssue, language: Language): string => {
  const { commandLine: texts, validation } = messages(language);
  const field = issue.path.join('.') || texts.wholeCommand;
  const value = issue.path.reduce((whole: unknown, name) => Object(whole)[name], given);
  if (value === undefined) return texts.missingField(field);
  if (field === 'command')
    return texts.unknownSubcommand(plainLine(typeof value === 'string' ? value : '…', WORD_SHOWN_MAX));
  const isPlanId = issue.code === 'invalid_format' && field === 'plan_id';
  return texts.invalidField(field, isPlanId ? validation.rules.planId() : validation.issue(issue));
};

/** Validates an input. Throws a `UsageError` that names the wrong field. */
export const checkedInput = <Input>(shape: z.ZodType<Input>, given: unknown, language: Language): Input => {
  const read = shape.safeParse(given);
  if (read.success) return read.data;
  throw new UsageError(refusalOf(given, read.error.issues[0] as z.core.$ZodIssue, language));
};

/** Parses a tool's JSON input. Throws a `UsageError` that names the wrong field. */
export const readJson = <Input>(shape: z.ZodType<Input>, input: string, language: Language): Input => {
  let given: unknown;
  try {
    given = JSON.parse(input);
  } catch {
    throw new UsageError(messages(language).commandLine.invalidJson);
  }
  if (hasRoundedNumber(input)) throw new UsageError(messages(language).commandLine.roundedNumber);
  return checkedInput(shape, given, language);
};

/** A word of a command line. A quoted word is never an option and never part of a longer time. */
export interface Word {
  text: string;
  quoted: boolean;
}

/**
 * The words of a command and its options' values: `word` options have one word each, `words` options all words up to
 * the next option.
 */
export interface Arguments {
  words: Word[];
  options: Map<string, Word[][]>;
}

/**
 * How an option reads its value. `word`: the next word. `words`: all words up to the next option, for times without
 * quotes.
 */
export interface OptionRule {
  value: 'word' | 'words';
  repeatable?: boolean;
}

/** A mistake of a person or model in a command, in their language. Never a fault of the service. */
export class UsageError extends Error {
  override name = 'UsageError';
}

/** Marks that open and close a quote. */
const QUOTES = ['""', "''", '“”', '‘’', '「」'] as const;

/** A quote up to its first closing mark before a space or the end, so that an apostrophe inside does not close it. */
const QUOTED = QUOTES.map(([open, close]) => `${open}((?:\\\\${close}|(?!\\\\${close})[^])*?)(${close})(?=\\s|$)`);

/** The next word: a quote, optionally with `--option=` before it, or everything up to the next space. */
const WORD = new RegExp(`\\s*(?:(?<option>--[\\w-]+=)?(?:${QUOTED.join('|')})|(?<plain>\\S+))`, 'gy');
const OPENS_QUOTE = new RegExp(`^(?:--[\\w-]+=)?(${QUOTES.map(([open]) => open).join('|')})`);
const OPTION = /^--(\p{L}[\p{L}\d-]*)(?:=(.*))?$/su;

/** Splits a command line at spaces; quotes group words. Throws a `UsageError` for an unclosed quote. */
function* eachWord(input: string, language: Language): Generator<Word & { end: number }> {
  for (const found of input.matchAll(WORD)) {
    const { option, plain } = found.groups as { option?: string; plain?: string };
    const end = found.index + found[0].length;
    if (plain !== undefined) {
      const mark = OPENS_QUOTE.exec(plain)?.[1];
      if (mark !== undefined) throw new UsageError(messages(language).commandLine.unclosedQuote(mark));
      yield { text: plain, quoted: false, end };
      continue;
    }
    const [text = '', mark = ''] = found.slice(2).filter((part) => part !== undefined);
    if (option !== undefined) yield { text: option.slice(0, -1), quoted: false, end };
    yield { text: text.replaceAll(`\\${mark}`, mark), quoted: true, end };
  }
}

/** The words of a command line. Throws a `UsageError` for an unclosed quote. */
export const splitWords = (input: string, language: Language): Word[] => [...eachWord(input, language)];

/**
 * The first word of a command line, undefined if there is none, and the text after it, verbatim. Throws `UsageError`.
 */
export function takeWord(input: string, language: Language): { word: Word | undefined; rest: string } {
  const word = eachWord(input, language).next().value ?? undefined;
  return { word, rest: input.slice(word?.end ?? 0) };
}

/** `key=value`, where the value may be quoted. */
const PAIR = new RegExp(`\\s*(?<key>[^\\s=]+)=(?:${QUOTED.join('|')}|(?<plain>\\S*))(?=\\s|$)`, 'gy');

/** The pairs of a command line of `key=value`. Throws a `UsageError` for any other word, and for an unclosed quote. */
export function splitPairs(input: string, language: Language): [key: string, value: string][] {
  const texts = messages(language).commandLine;
  let end = 0;
  const pairs = [...input.matchAll(PAIR)].map((found): [string, string] => {
    const { key = '', plain } = found.groups ?? {};
    end = found.index + found[0].length;
    const mark = plain === undefined ? undefined : OPENS_QUOTE.exec(plain)?.[1];
    if (mark !== undefined) throw new UsageError(texts.unclosedQuote(mark));
    if (plain !== undefined) return [key, plain];
    const [text = '', close = ''] = found.slice(2).filter((part) => part !== undefined);
    return [key, text.replaceAll(`\\${close}`, close)];
  });
  const left = input.slice(end).trim();
  if (left !== '') throw new UsageError(texts.unexpectedArgument(plainLine(left, WORD_SHOWN_MAX)));
  return pairs;
}

/** A text without quotes that enclose all of it; any other text unchanged. */
export function withoutQuotes(text: string): string {
  const mark = QUOTES.find(([open]) => open === text[0])?.[1];
  const inner = text.slice(1, -1);
  const isQuoted = mark !== undefined && text.length > 1 && text.endsWith(mark) && !inner.endsWith('\\');
  if (!isQuoted || inner.replaceAll(`\\${mark}`, '').includes(mark)) return text;
  return inner.replaceAll(`\\${mark}`, mark);
}

/** A tool's input without the tool's own name in front: `/todo add x`, `todo add x` and `add x` are equal. */
export const afterName = (input: string, name: string): string =>
  input.replace(new RegExp(`^\\s*/?${name}(?=[\\s:{]|$):?`, 'i'), '');

/** True for a word that cannot be an option's value: the next option, or the end of options. */
const endsValue = ({ text, quoted }: Word): boolean => !quoted && (text === '--' || OPTION.test(text));

/**
 * Sorts words into the command's own and its options' values; `--` ends the options. Throws a `UsageError` that names
 * the option at fault.
 */
export function readArguments(words: Word[], rules: Record<string, OptionRule>, language: Language): Arguments {
  const read: Arguments = { words: [], options: new Map() };
  for (let at = 0; at < words.length; ) {
    const word = words[at++]!;
    if (!word.quoted && word.text === '--') return { ...read, words: read.words.concat(words.slice(at)) };
    const [, name, attached] = (!word.quoted && OPTION.exec(word.text)) || [];
    if (name === undefined) {
      read.words.push(word);
      continue;
    }
    const rule = Object.hasOwn(rules, name) ? rules[name] : undefined;
    if (!rule) throw new UsageError(messages(language).commandLine.unknownOption(name));
    const first = attached === undefined ? words[at++] : { text: attached, quoted: false };
    const value = first === undefined || endsValue(first) ? [] : [first];
    if (rule.value === 'words' && value.length > 0)
      while (at < words.length && !endsValue(words[at]!)) value.push(words[at++]!);
    if (value.every(({ text }) => text.trim() === ''))
      throw new UsageError(messages(language).commandLine.missingValue(name));
    const given = read.options.get(name);
    if (given === undefined) read.options.set(name, [value]);
    else if (rule.repeatable) given.push(value);
    else throw new UsageError(messages(language).commandLine.repeatedOption(name));
  }
  return read;
}

/** Parses a whole number in [min, max], or throws a `UsageError` that names it. */
export function readInteger(text: string, name: string, min: number, max: number, language: Language): number {
  const number = /^[+-]?\d+$/.test(text) ? Number(text) : Number.NaN;
  if (number >= min && number <= max) return number;
  throw new UsageError(messages(language).commandLine.notInRange(name, min, max, text));
}

/**
 * Parses an id, `3` or `#3`, or throws a `UsageError`. An id too large to exist becomes Infinity, an id that no item
 * has.
 */
export function readId(word: Word | undefined, language: Language): number {
  if (word === undefined) throw new UsageError(messages(language).commandLine.missingId);
  const digits = /^#?(\d+)$/.exec(word.text)?.[1];
  if (digits === undefined) throw new UsageError(messages(language).commandLine.invalidId(word.text));
  return Number.isSafeInteger(Number(digits)) ? Number(digits) : Number.POSITIVE_INFINITY;
}

/** Most ids in one command: each is looked up, changed and reported in the same transaction. */
export const IDS_MAX = 100;

/** The words of a command on ids: at least one, and not too many. Otherwise throws a `UsageError`. */
export function someIds(words: Word[], language: Language): Word[] {
  const { missingId, tooManyIds } = messages(language).commandLine;
  if (words.length === 0) throw new UsageError(missingId);
  if (words.length > IDS_MAX) throw new UsageError(tooManyIds(IDS_MAX));
  return words;
}

/** The words as one line: runs of spaces become one, control characters are removed. */
export const textOf = (words: Word[]): string => plainLine(words.map(({ text }) => text).join(' '));

/** Lines under a heading with their total and how many are not shown. */
export function listText(heading: string, lines: string[], total: number, language: Language): string {
  const more = total - lines.length;
  const left = more > 0 ? [messages(language).commandLine.more(more)] : [];
  return [`${heading} (${total})`, ...lines, ...left].join('\n');
}

/** The text of a `UsageError`: the mistake, and the usage below it. Throws every other error on. */
export const usageFailure = (error: unknown, usage: string, language: Language): ToolResult => {
  if (!(error instanceof UsageError)) throw error;
  return { ok: false, result: `${error.message}\n${messages(language).commandLine.usage} ${usage}` };
};

/**
 * The subcommand that a word names, among those that have a line in `usage`. Throws a `UsageError` for an unknown one.
 */
export const subcommandOf = <Name extends string>(
  word: Word | undefined,
  tool: string,
  usage: Readonly<Record<Name, string>>,
  language: Language,
): Name => {
  const { missingSubcommand, unknownSubcommand } = messages(language).commandLine;
  if (word === undefined) throw new UsageError(missingSubcommand);
  const name = word.text.toLowerCase();
  if (!Object.hasOwn(usage, name)) throw new UsageError(unknownSubcommand(`/${tool} ${word.text}`.slice(0, 60)));
  return name as Name;
};

/** A tool's summary and usage, in English for models and in the user's language. */
export const toolTexts = (texts: (language: Language) => ToolHelp) => {
  const help = (language: Language) => {
    const { summary, usage } = texts(language);
    return { summary, usage };
  };
  return { description: help('en').summary, usage: help('en').usage, help };
};

/** Runs a command. A `UsageError` becomes a failed result with the usage below it; every other error is thrown on. */
export function* answerCommand(usage: string, language: Language, command: () => Queries<string>): Queries<ToolResult> {
  try {
    return { ok: true, result: yield* command() };
  } catch (error) {
    return usageFailure(error, usage, language);
  }
}

/** Throws a `UsageError` for words that the command does not take. */
export function refuseMore(words: Word[], language: Language): void {
  if (words.length > 0) throw new UsageError(messages(language).commandLine.unexpectedArgument(textOf(words)));
}

/**
 * Runs the subcommand that a tool's input names. An error shows its line of `usage`, or `wholeUsage` if no subcommand
 * was named.
 */
export function* answerSubcommand<Name extends string>(
  input: string,
  tool: string,
  usage: Readonly<Record<Name, string>>,
  language: Language,
  run: (subcommand: Name, words: Word[]) => Queries<string>,
  wholeUsage: string = [...new Set(Object.values(usage))].join('\n'),
): Queries<ToolResult> {
  let shown = wholeUsage;
  try {
    const [first, ...words] = splitWords(afterName(input, tool), language);
    const name = subcommandOf(first, tool, usage, language);
    shown = usage[name];
    return { ok: true, result: yield* run(name, words) };
  } catch (error) {
    return usageFailure(error, shown, language);
  }
}
