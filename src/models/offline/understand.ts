import { STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { findTimes, saysTime } from '../../when/find-times.ts';
import { bareTitle, LANGUAGES, takePriority, takeTags } from './read-details.ts';
import type { EntryKind, Phrase, Request, ScheduleAdd, Target, TodoAdd } from './request.ts';

const EXECUTOR_TAG = /^\[(?<tag>[A-Za-z][\w-]*)\]\s*/;

/** Longest sentence without a verb of ours that is read as an event, in characters: a longer one is a story. */
const STATEMENT_CHARS_MAX = 120;

/** The request without its tag, its kind words and its closing punctuation; single-spaced, as the phrases expect. */
const bare = (text: string): string =>
  LANGUAGES.reduce(
    (left, { politeness }) => left.replace(politeness, ''),
    text.replace(/\s+/g, ' ').trim().slice(0, STEP_CHARS_MAX).replace(EXECUTOR_TAG, ''),
  )
    .replace(/(?<![ .。?？!！,，;；、])[ .。?？!！,，;；、]+$/u, '')
    .trim();

/** Reads what a todo is about; the time is when to be reminded, if that was asked for, else when it is due. */
export const readTodo = (body: string, wantsReminder: boolean): TodoAdd => {
  const tags = takeTags(body);
  const priority = takePriority(tags.text);
  const times = findTimes(priority.text, { isTodo: true });
  const text = bareTitle(times.rest)?.replace(wantsReminder ? /^(?:to|that|about)\s+/i : /^$/, '') ?? null;
  return { kind: 'todo.add', text, times, wantsReminder, tags: tags.detail, priority: priority.detail };
};

/** Reads what an event is and when; a title that says nothing counts as none. */
export const readEvent = (body: string): ScheduleAdd => {
  const times = findTimes(body);
  const title = bareTitle(LANGUAGES.reduce((left, { titleEdges }) => left.trim().replace(titleEdges, ''), times.rest));
  const named = title?.replace(/^(?:an?\s+)?event\s+(?:called|named|titled|for)\s+/i, '') ?? '';
  const isEmpty = LANGUAGES.some(({ emptyTitle }) => emptyTitle.test(named));
  return { kind: 'schedule.add', title: isEmpty ? null : bareTitle(named), times };
};

const readView = (rest: string): Request => {
  const named = LANGUAGES.flatMap(({ spans }) => spans).find(({ pattern }) => pattern.test(rest));
  if (named !== undefined) return { kind: 'schedule.view', span: named.span, date: named.date };
  const { day } = findTimes(rest);
  return day === null ? { kind: 'schedule.list' } : { kind: 'schedule.view', span: 'day', date: day };
};

type Groups = Record<string, string | undefined>;

const targetOf = (groups: Groups, entry: EntryKind | undefined): Target => {
  const called = bareTitle(groups['name'] ?? '') ?? '';
  const isReference = groups['name'] !== undefined && LANGUAGES.some(({ reference }) => reference.test(called));
  const times = findTimes(isReference ? '' : called, { isTodo: true });
  return {
    entry: entry ?? null,
    id: /\d+/.exec(groups['ids'] ?? '')?.[0] ?? null,
    name: bareTitle(times.rest) ?? '',
    said: called,
    isReference,
    isAll: groups['all'] !== undefined,
    times,
  };
};

/** "it by an hour" says both what is moved and where to. */
const readMove = (groups: Groups): Request | null => {
  const name = groups['name'] ?? '';
  if (groups['when'] !== undefined) {
    const to = findTimes(groups['when'], { isAnswer: true });
    if (!saysTime(to) && (to.shift ?? to.duration) === null) return null;
    return { kind: 'move', target: targetOf(groups, undefined), to, isEarlier: groups['earlier'] !== undefined };
  }
  const to = findTimes(name);
  return {
    kind: 'move',
    target: targetOf({ name: to.rest }, undefined),
    to,
    isEarlier: groups['earlier'] !== undefined,
  };
};

const readRequest = ({ kind, entry }: Phrase, groups: Groups): Request | null => {
  const body = [groups['before'], groups['text'], groups['after']].filter(Boolean).join(' ');
  const words = groups['words']?.trim().replace(/^["“「']|["”」']$/gu, '') ?? '';
  const around = `${groups['before'] ?? ''} ${groups['rest'] ?? ''}`;
  switch (kind) {
    case 'todo.add':
    case 'todo.remind':
      return readTodo(body, kind === 'todo.remind');
    case 'schedule.add':
      return readEvent(body);
    case 'todo.list': {
      const view = LANGUAGES.flatMap(({ views }) => views).find(({ pattern }) => pattern.test(around))?.view ?? null;
      return { kind, view, tag: null };
    }
    case 'schedule.view':
      return readView(around);
    case 'todo.search':
      return { kind, words: words.replace(/[\s,，、]+(?:and\s+)?/gi, ' ') };
    case 'web.search':
      return { kind, words };
    case 'done':
    case 'delete':
    case 'find':
      return { kind, target: targetOf(groups, entry) };
    case 'move':
      return readMove(groups);
    case 'free':
      return { kind, times: findTimes(body) };
    default:
      return kind satisfies never;
  }
};

interface Matched {
  phrase: Phrase;
  groups: Groups;
}

const PHRASES = LANGUAGES.flatMap(({ phrases }) => phrases);

const matchPhrase = (text: string): Matched | null => {
  for (const phrase of PHRASES) {
    const found = phrase.pattern.exec(text);
    if (found !== null) return { phrase, groups: { ...found.groups } };
  }
  return null;
};

const TAKES_TIME = ['todo.add', 'todo.remind', 'schedule.add'];

/** The phrase that a text is; "tomorrow at 3pm, schedule lunch" is the same as with the time at its end. */
const match = (text: string): Matched | null => {
  const matched = matchPhrase(text);
  if (matched !== null) return matched;
  const { rest } = findTimes(text);
  const moved = rest === '' || rest === text || !text.endsWith(rest) ? null : matchPhrase(bare(rest));
  if (moved === null || !TAKES_TIME.includes(moved.phrase.kind)) return null;
  return { ...moved, groups: { ...moved.groups, before: text.slice(0, text.length - rest.length) } };
};

/** A text that only says what and when, such as "dentist tomorrow 3pm", is an event to add. */
const readStatement = (text: string): Request | null => {
  if (
    text.length > STATEMENT_CHARS_MAX ||
    LANGUAGES.some((words) => words.statement.test(text) || words.question.test(text))
  )
    return null;
  const event = readEvent(text);
  return saysTime(event.times) ? event : null;
};

/** A request that a sentence of ours makes; a text that only says what and when is none here. */
export const understandPhrase = (part: string): Request | null => {
  const coded = EXECUTOR_TAG.exec(part);
  if (coded !== null && /^(?:code|coding_agent)$/i.test(coded.groups!['tag']!)) {
    const text = part.slice(coded[0].length).trim();
    return text === '' ? null : { kind: 'code', text };
  }
  const tags = takeTags(bare(part));
  const priority = takePriority(tags.text);
  const found = match(bare(priority.text));
  if (found === null) return null;
  const request = readRequest(found.phrase, found.groups);
  if (request?.kind === 'todo.add') return { ...request, tags: tags.detail, priority: priority.detail };
  if (request?.kind === 'todo.list') return { ...request, tag: tags.detail[0] ?? null };
  return request;
};

/**
 * Reads one part of a goal, or a plan item's step, as a request; null for what the offline model can't do. Pure, and it never
 * guesses: what a request needs and doesn't say is null in it.
 */
export const understand = (part: string): Request | null =>
  understandPhrase(part) ?? (/[?？]\s*$/.test(part) ? null : readStatement(bare(part)));

/** Entries that one request may name; what names more is no request that a user typed. */
const IDS_MAX = 50;

const TWO_NUMBERS = /\d\D+\d/;

/** The numbers that a request to finish or delete several entries names, and its text with each of them alone. */
export const oneByOne = (part: string): string[] => {
  if (!TWO_NUMBERS.test(part)) return [part];
  const ids = match(bare(part))?.groups['ids'];
  const numbers = ids?.match(/\d+/g) ?? [];
  return ids === undefined || numbers.length < 2 || numbers.length > IDS_MAX
    ? [part]
    : numbers.map((id) => part.replace(ids, id));
};

/** True for a part that requests something, though not of the tools here. */
export const isQuestion = (part: string): boolean => LANGUAGES.some(({ question }) => question.test(bare(part)));
