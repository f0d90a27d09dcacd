import { STEP_CHARS_MAX } from '../../../contracts/limits.ts';
import { type FindOptions, findTimes, saysTime, type Times } from '../../when/find-times.ts';
import { settle, todayOf, type WhenContext } from '../../when/read-when.ts';
import type { Phrase, Request, Target } from './request.ts';
import { english, type Words } from './words-en.ts';
import { chinese } from './words-zh.ts';

/** Both languages at once: people mix them. */
export const LANGUAGES: Words[] = [english, chinese];

const EXECUTOR_TAG = /^\[(?<tag>[A-Za-z][\w-]*)\]\s*/;

/** Longest sentence without a verb of ours that is read as an entry, in characters: a longer one is a story. */
const STATEMENT_CHARS_MAX = 120;

const IDS =
  /^(?:numbers? |nos?\.? ?|第|编号)? ?#?\d{1,15}(?: ?(?:, ?and|,|and|&|号?、|，|和|与) ?#?\d{1,15}){0,50} ?(?:号|项|条|个)?$/iu;
const QUOTED = /^(?:"([^"]*)"|“([^”]*)”|「([^」]*)」|'([^']*)')$/su;

/** A title without quotes around it, closing punctuation, and the small words that only led to it; null if nothing is left. */
export const bareTitle = (text: string): string | null => {
  const trimmed = text
    .trim()
    .replace(/^[\s,，:：;；、-]+/u, '')
    .replace(/(?<![\s,，.。;；!！、:：])[\s,，.。;；!！、:：]+$/u, '');
  const quoted = QUOTED.exec(trimmed);
  const bare = quoted === null ? trimmed : (quoted.slice(1).find((inner) => inner !== undefined) ?? '');
  return bare.trim() === '' ? null : bare.trim();
};

/** The request without its tag, its kind words and its closing punctuation; single-spaced, as the phrases expect. */
export const bare = (text: string): string =>
  LANGUAGES.reduce(
    (left, { politeness }) => left.replace(politeness, ''),
    text.replace(/\s+/g, ' ').trim().slice(0, STEP_CHARS_MAX).replace(EXECUTOR_TAG, ''),
  )
    .replace(/(?<![ .。?？!！,，;；、])[ .。?？!！,，;；、]+$/u, '')
    .trim();

const timesIn = (text: string, context: WhenContext, options?: FindOptions): Times =>
  findTimes(text, todayOf(context), options);

/** Reads what a todo is about and when. */
export const readTodo = (body: string, wantsReminder: boolean, context: WhenContext) => {
  const times = timesIn(body, context, { isTodo: true });
  const text = bareTitle(times.rest)?.replace(wantsReminder ? /^(?:to|that|about)\s+/i : /^$/, '') ?? null;
  return { kind: 'todo.add', text, times, wantsReminder, options: '' } as const;
};

/** Reads what an event is and when; a title that says nothing counts as none. */
export const readEvent = (body: string, context: WhenContext) => {
  const times = timesIn(body, context);
  const title = LANGUAGES.reduce((left, { titleEdges }) => left.trim().replace(titleEdges, ''), times.rest);
  const isEmpty = LANGUAGES.some(({ emptyTitle }) => emptyTitle.test(title));
  return { kind: 'schedule.add', text: isEmpty ? null : bareTitle(title), times } as const;
};

const list = (tool: string, input: string): Request => ({ kind: 'list', tool, input });

/** Words around what a list is asked for, which ask for nothing more. */
const FILLERS =
  /\b(?:all|any|are|at|do|due|for|have|i|in|is|left|like|look|me|my|now|of|on|open|planned|that|the|there|to|today|tomorrow|up|what)\b/gi;

/** True where nothing else is asked for; the Chinese phrases leave room for nothing else. */
const asksNoMore = (rest: string): boolean => /\p{Script=Han}/u.test(rest) || !/\w/.test(rest.replace(FILLERS, ''));

const readView = (text: string, context: WhenContext): Request | null => {
  for (const { span } of LANGUAGES) {
    const { which, span: name = '' } = span.exec(text)?.groups ?? {};
    const isNow = /^(?:this|[这本])$/i.test(which ?? '');
    if (which !== undefined)
      return list('schedule', `view ${/^(?:month|月)/i.test(name) ? 'month' : 'week'}${isNow ? '' : ` ${which}`}`);
  }
  const times = timesIn(text, context);
  if (!asksNoMore(times.rest)) return null;
  if (!saysTime(times)) return list('schedule', 'list');
  const day = settle({ ...times, clock: undefined, part: undefined }, context);
  return 'lacks' in day ? null : list('schedule', `view day ${day.words}`);
};

type Groups = Record<string, string | undefined>;

const targetOf = (said: string, context: WhenContext): Target => {
  const called = bareTitle(said) ?? '';
  const all = LANGUAGES.map((words) => words.all.exec(called)).find((match) => match !== null);
  const isReference = LANGUAGES.some(({ reference }) => reference.test(called));
  const kind = LANGUAGES.flatMap(({ kinds }) => kinds).find(({ pattern }) => pattern.test(called));
  const left = kind === undefined || isReference ? called : called.replace(kind.pattern, '').trim();
  const ids = IDS.test(left) ? left.match(/\d+/g)! : [];
  const times = timesIn(isReference ? '' : left, context, { isTodo: true });
  const allOf = all?.groups?.['events'] === undefined ? 'todo' : 'schedule';
  return {
    entry: all === undefined ? (kind?.entry ?? null) : allOf,
    ids,
    name: bareTitle(times.rest) ?? '',
    said: called,
    isReference,
    isAll: all !== undefined,
    times,
  };
};

/** Null where nothing says where to: "it by an hour" does, "it somewhere" does not. */
const readMove = ({ name = '', when, earlier }: Groups, context: WhenContext): Request | null => {
  const to = timesIn(when ?? name, context, { isAnswer: when !== undefined });
  if (bareTitle(when === undefined ? '' : to.rest) !== null) return null;
  if (when !== undefined && !saysTime(to) && to.minutes === undefined) return null;
  const target = targetOf(when === undefined ? to.rest : name, context);
  return { kind: 'move', target, to, isEarlier: earlier !== undefined };
};

const readRequest = ({ kind }: Phrase, groups: Groups, context: WhenContext): Request | null => {
  const body = [groups['before'], groups['text'], groups['after']].filter(Boolean).join(' ');
  const words = groups['words']?.trim().replace(/^["“「']|["”」']$/gu, '') ?? '';
  const around = `${groups['before'] ?? ''} ${groups['rest'] ?? ''}`;
  const isMore = groups['after'] !== undefined && bareTitle(timesIn(groups['after'], context).rest) !== null;
  switch (kind) {
    case 'todo.add':
    case 'todo.remind':
      return isMore ? null : readTodo(body, kind === 'todo.remind', context);
    case 'schedule.add':
      return isMore ? null : readEvent(body, context);
    case 'todo.list': {
      const known = LANGUAGES.flatMap(({ views }) => views).find(({ pattern }) => pattern.test(around));
      if (!asksNoMore(known === undefined ? around : around.replace(known.pattern, ''))) return null;
      return list('todo', known === undefined ? 'list' : `list --view ${known.view}`);
    }
    case 'schedule.view':
      return readView(around, context);
    case 'todo.search':
      return list('todo', `search ${searchWords(words.replace(/[\s,，、]+(?:and\s+)?/gi, ' '))}`);
    case 'web.search':
      return { kind, tool: 'internet_search', input: words };
    case 'done':
    case 'delete':
    case 'find':
      return { kind, target: targetOf(groups['name'] ?? everyOf(groups['all']!), context) };
    case 'move':
      return readMove(groups, context);
    case 'free':
      return { kind, times: timesIn(body, context) };
    default:
      return kind satisfies never;
  }
};

const everyOf = (kind: string): string => (/\p{Script=Han}/u.test(kind) ? `所有${kind}` : `all ${kind}`);

/** Words to search for: each is quoted only where it could be taken for an option or a quote. */
export const searchWords = (words: string): string =>
  words
    .split(/\s+/)
    .map((word) => (/^[\p{L}\p{N}]/u.test(word) ? word : quoted(word)))
    .join(' ');

/** In quotes, so that a command line takes it as one word; a backslash at the end would swallow the closing quote. */
export const quoted = (text: string): string => `"${text.replace(/"/g, '\\"').replace(/\\$/, '\\ ')}"`;

const PHRASES = LANGUAGES.flatMap(({ phrases }) => phrases);

const matchPhrase = (text: string, context: WhenContext): Request | null => {
  for (const phrase of PHRASES) {
    const found = phrase.pattern.exec(text);
    if (found !== null) return readRequest(phrase, { ...found.groups }, context);
  }
  return null;
};

const LEVELS: Record<string, number> = { high: 0, top: 0, 高: 0, medium: 1, normal: 1, 中: 1, low: 2, 低: 2 };
const PRIORITY =
  /(?<![\s,，、(（])[\s,，、(（]*(?:\b(?:with |as )?(?:an? )?(high|top|medium|normal|low)[- ]priority\b|\b(?:with )?priority:? (\d{1,4})\b|([高中低])优先级|优先级[:：为是]?([高中低]|\d{1,4}))[)）]?的?/iu;
const TAG =
  /(?<![\s,，、(（])[\s,，、(（]*(?:#(?!\d+(?![\p{L}\p{N}_-]))|\btagged (?:as |with )?#?|标签[:：为是]?\s*)(?<tag>[\p{L}\p{N}_-]+)[)）]?/iu;

/** Takes tags and a priority out of a sentence, as options of the todo tool: `#home`, "high priority", 优先级2. */
const withoutDetails = (sentence: string): { text: string; options: string } => {
  const level = PRIORITY.exec(sentence)
    ?.slice(1)
    .find((found) => found !== undefined);
  let text = sentence.replace(PRIORITY, (words) => (words.endsWith('的') ? '' : ' '));
  let options = level === undefined ? '' : ` --priority ${LEVELS[level.toLowerCase()] ?? level}`;
  for (let tag = TAG.exec(text); tag !== null; tag = TAG.exec(text)) {
    options += ` --tag ${tag.groups!['tag']}`;
    text = text.replace(TAG, ' ');
  }
  return { text, options };
};

/** A request that a sentence of ours makes; a text that only says what and when is none here. */
export const understandPhrase = (part: string, context: WhenContext): Request | null => {
  const coded = /^\[(?:code|coding_agent)\]\s*(?<input>\S.*)$/is.exec(part);
  if (coded !== null) return { kind: 'code', tool: 'coding_agent', input: coded.groups!['input']!.trim() };
  const { text: said, options } = withoutDetails(bare(part));
  const request = matchSentence(bare(said), context);
  if (request?.kind === 'todo.add') return { ...request, options };
  return request?.kind === 'list' && request.tool === 'todo' ? { ...request, input: request.input + options } : request;
};

const matchSentence = (text: string, context: WhenContext): Request | null => {
  const request = matchPhrase(text, context);
  if (request !== null) return request;
  // "Tomorrow at 3pm, schedule lunch" is the same as with the time at its end.
  const { rest } = timesIn(text, context);
  if (rest === '' || rest === text || !text.endsWith(rest)) return null;
  const moved = matchPhrase(`${bare(rest)} ${text.slice(0, text.length - rest.length)}`.trim(), context);
  return moved?.kind === 'todo.add' || moved?.kind === 'schedule.add' ? moved : null;
};

/** Texts that are a todo or an event without a verb of ours: "buy milk", "dentist tomorrow 3pm". */
const readStatement = (text: string, context: WhenContext): Request | null => {
  const isOther = LANGUAGES.some((words) => words.statement.test(text) || words.question.test(text));
  if (text.length > STATEMENT_CHARS_MAX || isOther) return null;
  const todo = readTodo(text, false, context);
  if (LANGUAGES.some(({ errand }) => errand.test(todo.text ?? ''))) return todo;
  const event = readEvent(text, context);
  return saysTime(event.times) ? event : null;
};

/** Reads a part of a goal as a request, what it doesn't say being null; null for what the offline model can't do. Pure, and it never guesses. */
export const understand = (part: string, context: WhenContext): Request | null =>
  understandPhrase(part, context) ?? (/[?？]\s*$/.test(part) ? null : readStatement(bare(part), context));

/** True for a part that requests something, though not of the tools here. */
export const isQuestion = (part: string): boolean => LANGUAGES.some(({ question }) => question.test(bare(part)));

const isSaid = (part: string, what: 'greeting' | 'thanks'): boolean => {
  const said = part.replace(/(?<![\p{P}\d\s])[\p{P}\d\s]+$/u, '').trim();
  return said !== '' && LANGUAGES.some((words) => words[what].test(said));
};

/** True for what asks for nothing but what there is to ask for. */
export const isGreeting = (part: string): boolean => isSaid(part, 'greeting');
export const isThanks = (part: string): boolean => isSaid(part, 'thanks');
