import { STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { findTimes, saysTime, type Times } from '../../when/find-times.ts';
import { settle, todayOf, type WhenContext } from '../../when/read-when.ts';
import * as phrases from './phrases.ts';

export type EntryKind = 'todo' | 'schedule';

/** Which entries a request means: by their numbers, by what the user called one, or by what was mentioned before. */
export interface Target {
  /** Null: it may be of either kind. */
  entry: EntryKind | null;
  ids: string[];
  /** The entry's name; empty where only its kind was named. */
  name: string;
  /** "it", 这个: the one that the conversation was about. */
  isReference: boolean;
  isAll: boolean;
}

/** The use of a new entry's time: an event has an hour, a todo's reminder too, and its due date may be a day alone. */
export type TimeUse = 'event' | 'remind' | 'due';

/** One request that the offline model can carry out. What is null has to be asked for. */
export type Request =
  | { kind: 'add'; use: TimeUse; text: string | null; times: Times }
  | { kind: 'done' | 'delete'; target: Target }
  | { kind: 'move'; target: Target; to: Times }
  /** A command that asks for nothing more. */
  | { kind: 'list' | 'code'; tool: string; input: string };

const IDS = /^#?\d{1,15}(?:(?:, ?(?:and )?| and |、|，|和)#?\d{1,15}){0,50}号?$/iu;
const QUOTED = /^(?:"([^"]*)"|“([^”]*)”|「([^」]*)」|'([^']*)')$/su;

/** A title without quotes around it and closing punctuation; null if nothing is left. */
const bareTitle = (text: string): string | null => {
  const trimmed = text
    .trim()
    .replace(/^[\s,，:：;；、-]+/u, '')
    .replace(/(?<![\s,，.。;；!！、:：])[\s,，.。;；!！、:：]+$/u, '');
  const quoted = QUOTED.exec(trimmed);
  const bare = quoted === null ? trimmed : (quoted.slice(1).find((inner) => inner !== undefined) ?? '');
  return bare.trim() === '' ? null : bare.trim();
};

/** The request without its kind words and its closing punctuation; single-spaced, as the phrases expect. */
export const bare = (text: string): string =>
  text
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, STEP_CHARS_MAX)
    .replace(phrases.POLITENESS, '')
    .replace(/(?<![ .。?？!！,，;；、])[ .。?？!！,，;；、]+$/u, '')
    .trim();

/** In quotes, so that a command line takes it as one word; a backslash at the end would swallow the closing quote. */
export const quoted = (text: string): string => `"${text.replace(/"/g, '\\"').replace(/\\$/, '\\ ')}"`;

const titleIn = (text: string): string | null => {
  const title = bareTitle(text)?.replace(/ (?:and|or)$/i, '') ?? null;
  return title === null || phrases.EMPTY_TITLE.test(title) ? null : title;
};

/** Reads what a new entry is about and when; it may be the answer to a question for these. */
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

/** A list of all, or of the schedule of one day. */
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
      // Without a thing it is all about a time, which has to be read whole; and a todo doesn't repeat.
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

/** Kinds of requests whose time may stand anywhere in the sentence: they are matched without it. */
const TIMED: phrases.PhraseKind[] = ['due', 'remind', 'event', 'todos', 'events'];

/** A request that a sentence makes with a verb of ours. */
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

/** Reads a part of a goal as a request, what it doesn't say being null; null for what the offline model can't do. Pure, and it never guesses. */
export const understand = (part: string, context: WhenContext): Request | null => {
  const request = understandPhrase(part, context);
  if (request !== null) return request;
  const text = bare(part);
  if (!phrases.ERRAND.test(text) || /[?？]\s*$/.test(part)) return null;
  return { kind: 'add', use: 'due', ...readEntry(text, true, context) };
};

/** True for a part that requests something, though not of the tools here. */
export const isOtherRequest = (part: string): boolean => phrases.OTHER_REQUEST.test(bare(part));

const isSaid = (part: string, pattern: RegExp): boolean =>
  pattern.test(part.replace(/(?<![\p{P}\s])[\p{P}\s]+$/u, '').trim());

/** True for what asks for nothing but what there is to ask for. */
export const isGreeting = (part: string): boolean => isSaid(part, phrases.GREETING);
export const isThanks = (part: string): boolean => isSaid(part, phrases.THANKS);
