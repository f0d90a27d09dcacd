import { STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { findTime, type TimeSpan, withoutSpan } from './find-time.ts';
import { bareTitle, LANGUAGES, takeDuration, takePriority, takeTags } from './read-details.ts';
import type { Request, RequestKind, ScheduleAdd, TimeWords, TodoAdd } from './request.ts';

/** 下周三三点 is Wednesday at three: without a space between them the two numbers are read as one. */
const WEEKDAY_THEN_HOUR = /((?:周|星期|礼拜)[一二三四五六日天])(?=[一二两三四五六七八九十]{1,3}点)/gu;

const EXECUTOR_TAG = /^\[(?<tag>[A-Za-z][\w-]*)\]\s*/;

/** The request without its tag, its kind words and its closing punctuation; single-spaced, as the phrases expect. */
const bare = (text: string): string =>
  LANGUAGES.reduce(
    (left, { politeness }) => left.replace(politeness, ''),
    text
      .replace(/\s+/g, ' ')
      .replace(WEEKDAY_THEN_HOUR, '$1 ')
      .trim()
      .slice(0, STEP_CHARS_MAX)
      .replace(EXECUTOR_TAG, ''),
  )
    .replace(/(?<![ .。?？!！,，;；、])[ .。?？!！,，;；、]+$/u, '')
    .trim();

const isAtEdge = (text: string, { start, end }: TimeSpan): boolean =>
  text.slice(0, start).trim() === '' || text.slice(end).trim() === '';

/** A todo's text and time: a time in mid-sentence stays part of the text, unless a word such as "by" marks it. */
const todoBody = (text: string): { text: string | null; time: TimeWords | null } => {
  const span = findTime(text);
  if (span === null || !(span.isMarked || isAtEdge(text, span))) return { text: bareTitle(text), time: null };
  return { text: bareTitle(withoutSpan(text, span)), time: span.time };
};

/** Reads what a todo is about; the time is when to be reminded, if that was asked for, else when it is due. */
export const readTodo = (body: string, wantsReminder: boolean): TodoAdd => {
  const tags = takeTags(body);
  const priority = takePriority(tags.text);
  const { text, time } = todoBody(priority.text);
  return {
    kind: 'todo.add',
    text: text?.replace(wantsReminder ? /^(?:to|that|about)\s+/i : /^$/, '') ?? null,
    due: wantsReminder ? null : time,
    remind: wantsReminder ? time : null,
    wantsReminder,
    tags: tags.detail,
    priority: priority.detail,
  };
};

/** Reads what an event is and when; a title that says nothing counts as none. */
export const readEvent = (body: string): ScheduleAdd => {
  const duration = takeDuration(body);
  const span = findTime(duration.text);
  const rest = span === null ? duration.text : withoutSpan(duration.text, span);
  const title = bareTitle(LANGUAGES.reduce((left, { titleEdges }) => left.trim().replace(titleEdges, ''), rest));
  const named = title?.replace(/^(?:an?\s+)?event\s+(?:called|named|titled|for)\s+/i, '') ?? '';
  const isEmpty = LANGUAGES.some(({ emptyTitle }) => emptyTitle.test(named));
  return {
    kind: 'schedule.add',
    title: isEmpty ? null : bareTitle(named),
    when: span?.time ?? null,
    minutes: duration.detail ?? span?.time.minutes ?? null,
  };
};

const readView = (rest: string): Request => {
  const named = LANGUAGES.flatMap(({ spans }) => spans).find(({ pattern }) => pattern.test(rest));
  if (named !== undefined) return { kind: 'schedule.view', span: named.span, date: named.date };
  const day = findTime(rest);
  return day === null ? { kind: 'schedule.list' } : { kind: 'schedule.view', span: 'day', date: day.time.words };
};

const readRequest = (kind: RequestKind | 'todo.remind', groups: Record<string, string | undefined>): Request | null => {
  const body = [groups['before'], groups['text'], groups['after']].filter(Boolean).join(' ');
  const words = groups['words']?.trim().replace(/^["“「']|["”」']$/gu, '') ?? '';
  switch (kind) {
    case 'todo.add':
    case 'todo.remind':
      return readTodo(body, kind === 'todo.remind');
    case 'schedule.add':
      return readEvent(body);
    case 'todo.list': {
      const rest = `${groups['before'] ?? ''} ${groups['rest'] ?? ''}`;
      const view = LANGUAGES.flatMap(({ views }) => views).find(({ pattern }) => pattern.test(rest))?.view ?? null;
      return { kind, view, tag: null };
    }
    case 'schedule.view':
      return readView(`${groups['before'] ?? ''} ${groups['rest'] ?? ''}`);
    case 'todo.search':
      return { kind, words: words.replace(/[\s,，、]+(?:and\s+)?/gi, ' ') };
    case 'web.search':
      return { kind, words };
    case 'todo.done':
    case 'todo.delete':
    case 'schedule.delete':
      return { kind, id: /\d+/.exec(groups['ids'] ?? '')?.[0] ?? null, name: bareTitle(groups['name'] ?? '') ?? '' };
    case 'schedule.list':
    case 'code':
      return null;
    default:
      return kind satisfies never;
  }
};

interface Matched {
  kind: RequestKind | 'todo.remind';
  groups: Record<string, string | undefined>;
}

const matchPhrase = (text: string): Matched | null => {
  for (const { kind, pattern } of LANGUAGES.flatMap(({ phrases }) => phrases)) {
    const found = pattern.exec(text);
    if (found !== null) return { kind, groups: { ...found.groups } };
  }
  return null;
};

/** The phrase that a text is; "tomorrow at 3pm, schedule lunch" is the same as with the time at its end. */
const match = (text: string): Matched | null => {
  const matched = matchPhrase(text);
  if (matched !== null) return matched;
  const span = findTime(text);
  if (span === null || span.start > 0) return null;
  const moved = matchPhrase(bare(text.slice(span.end)));
  const takesTime = moved?.kind === 'todo.add' || moved?.kind === 'todo.remind' || moved?.kind === 'schedule.add';
  return takesTime ? { ...moved, groups: { ...moved.groups, before: span.time.words } } : null;
};

/**
 * Reads one part of a goal, or a plan item's step, as a request; null for what the offline model can't do. Pure, and it never
 * guesses: what a request needs and doesn't say is null in it.
 */
export const understand = (part: string): Request | null => {
  const coded = EXECUTOR_TAG.exec(part);
  if (coded !== null && /^(?:code|coding_agent)$/i.test(coded.groups!['tag']!)) {
    const text = part.slice(coded[0].length).trim();
    return text === '' ? null : { kind: 'code', text };
  }
  const tags = takeTags(bare(part));
  const priority = takePriority(tags.text);
  const found = match(bare(priority.text));
  if (found === null) return null;
  const request = readRequest(found.kind, found.groups);
  if (request?.kind === 'todo.add') return { ...request, tags: tags.detail, priority: priority.detail };
  if (request?.kind === 'todo.list') return { ...request, tag: tags.detail[0] ?? null };
  return request;
};

/** Entries that one request may name; what names more is no request that a user typed. */
const IDS_MAX = 50;

/** The numbers that a request to finish or delete several entries names, and its text with each of them alone. */
export const oneByOne = (part: string): string[] => {
  const ids = match(bare(part))?.groups['ids'];
  const numbers = ids?.match(/\d+/g) ?? [];
  return ids === undefined || numbers.length < 2 || numbers.length > IDS_MAX
    ? [part]
    : numbers.map((id) => part.replace(ids, id));
};

/** True for a part that requests something, though not of the tools here. */
export const isQuestion = (part: string): boolean => LANGUAGES.some(({ question }) => question.test(bare(part)));
