import { STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { findTimes, saysTime, type Times } from '../../when/find-times.ts';
import { settle, todayOf, type WhenContext } from '../../when/read-when.ts';
import * as phrases from './phrases.ts';

export type EntryKind = 'todo' | 'schedule';

/** Which entries a request means: by their numbers, by the user's name for one, or by an earlier mention. */
export interface Target {
  /** Null: either kind. */
  entry: EntryKind | null;
  ids: string[];
  /** The entry's name; empty if only its kind was given. */
  name: string;
  /** "it", 这个: the entry of the conversation so far. */
  isReference: boolean;
  isAll: boolean;
}

/** The purpose of a new entry's time. An event and a reminder need an hour; a todo's due date may be only a day. */
export type TimeUse = 'event' | 'remind' | 'due';

/** One request that the offline model can carry out. Null fields have to be asked for. */
export type Request =
  | { kind: 'add'; use: TimeUse; text: string | null; times: Times }
  | { kind: 'done' | 'delete'; target: Target }
  | { kind: 'move'; target: Target; to: Times }
  /** A command that needs no further information. */
  | { kind: 'list' | 'code'; tool: string; input: string };

const IDS = /^#?\d{1,15}(?:(?:, ?(?:and )?| and |、|，|和)#?\d{1,15}){0,50}号?$/iu;
const QUOTED = /^(?:"([^"]*)"|“([^”]*)”|「([^」]*)」|'([^']*)')$/su;

/** A title without enclosing quotes and closing punctuation; null if nothing is left. */
const bareTitle = (text: string): string | null => {
  const trimmed = text
    .trim()
    .replace(/^[\s,，:：;；、-]+/u, '')
    .replace(/(?<![\s,，.。;；!！、:：])[\s,，.。;；!！、:：]+$/u, '');
  const quoted = QUOTED.exec(trimmed);
  const bare = quoted === null ? trimmed : (quoted.slice(1).find((inner) => inner !== undefined) ?? '');
  return bare.trim() === '' ? null : bare.trim();
};

/** The request without polite words and closing punctuation, with single spaces, as the phrases expect. */
export const bare = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, STEP_CHARS_MAX)
    .replace(phrases.POLITENESS, '')
    .replace(/(?<![ .。?？!！,，;；、])[ .。?？!！,，;；、]+$/u, '')
    .trim();

/**
 * Quotes a text so that a command line reads it as one word. A final backslash would escape the closing quote, so it is
 * removed.
 */
export const quoted = (text: string): string => `"${text.replace(/"/g, '\\"').replace(/\\$/, '\\ ')}"`;

const titleIn = (text: string): string | null => {
  const title = bareTitle(text)?.replace(/ (?:and|or)$/i, '') ?? null;
  return title === null || phrases.EMPTY_TITLE.test(title) ? null : title;
};

/** Reads what a new entry is about and its time; also reads answers to questions for these. */
export const readEntry = (
  text: string,
  isTodo: boolean,
  context: WhenContext,
): { text: string | null; times: Times } => {
  const times = findTimes(text, todayOf(context), { isTodo });
  return { text: titleIn(times.rest), times };
};

const targetOf = (said: string): Target => {
  const called = bareTitle(said) ?? '';
  const isReference = phrases.REFERENCE.test(called);
  const kind = isReference ? undefined : phrases.KINDS.find(({ pattern }) => pattern.test(called));
  const left = kind === undefined ? called : called.replace(kind.pattern, '').trim();
  return {
    entry: kind?.entry ?? null,
    ids: IDS.test(left) ? left.match(/\d+/g)! : [],
    name: bareTitle(left.replace(/^(?:my|the|an?) /i, '')) ?? '',
    isReference,
    isAll: kind !== undefined && left === '' && phrases.ALL.test(called),
  };
};

/** A list of everything, or of one day's schedule. */
const listOf = (tool: EntryKind, times: Times, context: WhenContext): Request | null => {
  if (!saysTime(times)) return { kind: 'list', tool, input: 'list' };
  const day = settle(times, context);
  if (tool === 'todo' || 'lacks' in day || day.hasTime) return null;
  return { kind: 'list', tool, input: `view day ${day.words}` };
};

const requestOf = (
  kind: phrases.PhraseKind,
  { text, name, when }: Record<string, string | undefined>,
  times: Times,
  context: WhenContext,
): Request | null => {
  switch (kind) {
    case 'due':
    case 'remind':
    case 'event': {
      const title = titleIn(text ?? '');
      // Without a subject the text is only a time, which must be understood completely; and todos do not repeat.
      const isUnclear = title === null && times.unclear.length > 0;
      if (isUnclear || (kind !== 'event' && times.rule !== undefined)) return null;
      return { kind: 'add', use: kind, text: title, times };
    }
    case 'todos':
      return listOf('todo', times, context);
    case 'events':
      return listOf('schedule', times, context);
    case 'done':
    case 'delete': {
      const target = targetOf(name!);
      return kind === 'delete' && target.ids.length > 0 && target.entry === null ? null : { kind, target };
    }
    case 'move': {
      const to = findTimes(when!, todayOf(context), { isAnswer: true });
      return saysTime(to) && bareTitle(to.rest) === null ? { kind, target: targetOf(name ?? ''), to } : null;
    }
    default:
      return kind satisfies never;
  }
};

/** Kinds of requests whose time may stand anywhere in the sentence. They are matched without it. */
const TIMED: phrases.PhraseKind[] = ['due', 'remind', 'event', 'todos', 'events'];

/** The request of a sentence with a known verb. */
export const understandPhrase = (part: string, context: WhenContext): Request | null => {
  const coded = /^\[(?:code|coding_agent)\]\s*(?<input>\S.*)$/is.exec(part);
  if (coded !== null) return { kind: 'code', tool: 'coding_agent', input: coded.groups!['input']!.trim() };
  const text = bare(part);
  const inTodo = findTimes(text, todayOf(context), { isTodo: true });
  const inEvent = findTimes(text, todayOf(context));
  for (const { kind, pattern } of phrases.PHRASES) {
    const times = ['due', 'remind', 'todos'].includes(kind) ? inTodo : inEvent;
    const found = pattern.exec(TIMED.includes(kind) ? bare(times.rest) : text);
    if (found !== null) return requestOf(kind, { ...found.groups }, times, context);
  }
  return null;
};

/**
 * Understands a part of a goal as a request; unstated fields are null. Returns null for what the offline model cannot
 * do. Pure, and never guesses.
 */
export const understand = (part: string, context: WhenContext): Request | null => {
  const request = understandPhrase(part, context);
  if (request !== null) return request;
  const text = bare(part);
  if (!phrases.ERRAND.test(text) || /[?？]\s*$/.test(part)) return null;
  return { kind: 'add', use: 'due', ...readEntry(text, true, context) };
};

/** True for a part that requests something these tools cannot do. */
export const isOtherRequest = (part: string): boolean => phrases.OTHER_REQUEST.test(bare(part));

const isSaid = (part: string, pattern: RegExp): boolean =>
  pattern.test(part.replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '').trim());

/** True for a greeting or a question about what the model can do. */
export const isGreeting = (part: string): boolean => isSaid(part, phrases.GREETING);
export const isThanks = (part: string): boolean => isSaid(part, phrases.THANKS);
