import { isDeepStrictEqual } from 'node:util';
import { PlanAnswer, ReplanAnswer, ReplanStatus, ThoughtAnswer, ThoughtStatus } from '../../../contracts/answer.ts';
import type { Reader } from '../../../contracts/event.ts';
import type { JsonKind } from '../../../contracts/messages/en/models.ts';
import type { Messages } from '../../../contracts/messages/messages.ts';
import { behindClosingLine, reasoningTagAt } from './reasoning.ts';
import { CUT_OFF, type Fault, gapEnd, parseObject, respell } from './respell.ts';

/** Why a model's text is refused, once the language is chosen. Never quotes the text. */
export type Reason = (texts: Messages) => string;

const STATUSES: readonly string[] = [
  ...ThoughtStatus.options,
  ...ReplanStatus.options,
  ...PlanAnswer.shape.status.values,
];

/** The keys of the three contracts and of a control object: in front of a colon they make an object, quoted or not. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...[PlanAnswer, ThoughtAnswer.in, ReplanAnswer.in].flatMap(({ shape }) => Object.keys(shape)),
  'control',
]);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for an object with a key of a contract, and for a list of such. */
const hasKnownKey = (value: unknown): boolean =>
  Array.isArray(value)
    ? value.some((item) => isRecord(item) && hasKnownKey(item))
    : isRecord(value) && Object.keys(value).some((key) => KNOWN_KEYS.has(key));

/** True for an object that was meant as a contract or control, so that no mark beside it may stand for the answer. */
export const isContractAttempt = (value: unknown): boolean => {
  if (Array.isArray(value)) return value.some((item) => isRecord(item) && isContractAttempt(item));
  if (!isRecord(value)) return false;
  const { status } = value;
  return (
    ['control', 'plan', 'next_action', 'current_step'].some((key) => Object.hasOwn(value, key)) ||
    (typeof status === 'string' && STATUSES.includes(status.trim().toLowerCase()))
  );
};

/** Longest answer that is read, in characters: more than any model writes in one call. */
export const REPLY_CHARS_MAX = 100_000;

/** Times that reading starts again behind reasoning whose opening tag is missing: each costs a scan to the end. */
const RESTARTS_MAX = 5;

/** The readers that find an object, best first. */
const OBJECT_READERS = ['strict', 'fenced', 'embedded', 'repaired'] as const satisfies Reader[];

/** A text's prose, its differing objects with a key of a contract, and the first one without, if any; or why the text is refused. */
export type FoundObjects =
  | { kind: 'read'; objects: FoundObject[]; other: unknown; prose: string }
  | { kind: 'refused'; reason: Reason };

interface FoundObject {
  value: unknown;
  reader: (typeof OBJECT_READERS)[number];
}

const HTML_PAGE = /^<(?:!doctype|html|\?xml)/i;
const LANDMARK = /[{｛}｝[<◁]/g;
const LIST_OF_OBJECTS = /\[[\s\u200B-\u200F]*(?=[{｛])/y;
const OBJECT_BEGINS = /["'`“”‘’「＂}｝\\]/;
const QUOTE = /["'`“”‘’「＂]/;
const BARE_KEY = /([A-Za-z_]{1,24})\s*([:：]|$)/y;
const BRACES_ONLY = /^[\s{｛]*$/;
const CLOSERS = /[\s}\]｝］]*/y;
const END_OF_WRAPPING = /$|`{3}|~{3}|<\//y;
const FENCE_BEFORE = /(`{3}|~{3})[\w+.-]*\s{0,16}$/;
const FENCE_BEHIND = /\s{0,16}(`{3}|~{3})/y;
const INNER_VALUE = /"[\w$-]{1,64}"\s{0,16}[:：]\s{0,64}$/;

/** Blanks and comments behind a brace that are passed, in characters. */
const GAP_CHARS_MAX = 200;

/** Characters before an object that tell whether it is in a fence, or a part of another object. */
const BEFORE_CHARS = 150;

const unreadable =
  (fault: Fault): Reason =>
  ({ modelReply }) =>
    modelReply.unreadable(fault(modelReply.fault));

const NOT_BALANCED: Reason = ({ modelReply }) => modelReply.notBalanced;

const refused = (reason: Reason): { kind: 'refused'; reason: Reason } => ({ kind: 'refused', reason });

/** Finds the objects in a model's text (SPEC 5, Reading an answer). Never completes an object, never throws, and never quotes the text in a reason. */
export const findObjects = (reply: string): FoundObjects => {
  if (reply.length > REPLY_CHARS_MAX) return refused(({ modelReply }) => modelReply.tooLong(REPLY_CHARS_MAX));
  const text = reply.trim();
  if (text === '') return refused(({ modelReply }) => modelReply.empty);
  if (HTML_PAGE.test(text)) return refused(({ modelReply }) => modelReply.webPage);
  const whole = parseObject(text);
  if (hasKnownKey(whole))
    return { kind: 'read', objects: [{ value: whole, reader: 'strict' }], other: undefined, prose: text };
  const found = scan(text);
  if (found.kind === 'refused') return found;
  if (found.prose === '') return refused(({ modelReply }) => modelReply.onlyThinking);
  const kind = found.objects.length === 0 && found.other === undefined ? otherJson(text) : null;
  return kind === null ? found : refused(({ modelReply }) => modelReply.notAnObject(kind));
};

/** The kind of JSON that a whole text is; null when it is none. */
const otherJson = (text: string): JsonKind | null => {
  try {
    return jsonKind(JSON.parse(text));
  } catch {
    return null;
  }
};

/** The kind of JSON that a value is, for a reason. */
export const jsonKind = (value: unknown): JsonKind => {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'array';
  return isRecord(value) ? 'object' : (typeof value as JsonKind);
};

const matches = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/**
 * One pass over a text. Reasoning hides its content: also when it never closes, and all before a closing tag that has no opening one. Text that
 * resembles an object and can't be read refuses the whole text: what stands in or beside it may be a part or a quotation.
 */
const scan = (text: string): FoundObjects => {
  let objects: FoundObject[] = [];
  let other: unknown;
  let prose = '';
  let at = 0;
  let proseStart = 0;
  /** Braces of prose that are open, where the first of them opened, and whether one closed that never opened. */
  let braces = 0;
  let braceAt = 0;
  let isStray = false;
  let restarts = 0;
  let refusal: Reason | null = null;

  const startAt = (index: number): void => {
    [objects, other, prose, braces, isStray] = [[], undefined, '', 0, false];
    proseStart = at = index;
  };

  /** Starts again when reasoning with unreadable content closes further on; refuses the text when none does. */
  const refuse = (reason: Reason): void => {
    restarts += 1;
    const behind = restarts > RESTARTS_MAX ? null : behindClosingLine(text, at);
    if (behind === null) refusal = reason;
    else startAt(behind);
  };

  const passTag = (): boolean => {
    const tag = reasoningTagAt(text, at);
    if (tag === null) return false;
    if (tag.kind === 'close') startAt(tag.end);
    else {
      prose += text.slice(proseStart, at);
      proseStart = at = tag.behind();
    }
    return true;
  };

  /** Passes the braces of prose that close behind an object, or closers too many at the end of the line, the fence or the tag; false for those elsewhere. */
  const passClosers = (end: number): 'none too many' | 'too many' | false => {
    matches(CLOSERS, text, end);
    const behind = CLOSERS.lastIndex;
    const run = text.slice(end, behind);
    const count = run.replace(/\s+/g, '').length;
    const areTooMany = count > braces;
    const isEnd = matches(END_OF_WRAPPING, text, behind) || run.slice(run.trimEnd().length).includes('\n');
    if (areTooMany && !isEnd) return false;
    braces = areTooMany ? 0 : braces - count;
    at = behind;
    return areTooMany ? 'too many' : 'none too many';
  };

  const passAnswer = (value: unknown, end: number, isJson: boolean): void => {
    const start = at;
    const isInBraces = braces > 0 && !BRACES_ONLY.test(text.slice(braceAt, start));
    if (isInBraces || INNER_VALUE.test(text.slice(Math.max(0, start - BEFORE_CHARS), start)))
      return refuse(unreadable(({ nested }) => nested));
    // A quote right behind and none before: its last string may go on, since a quote and a brace in it were not escaped.
    const goesOn = QUOTE.test(text[end] ?? '') && text[start - 1] !== text[end];
    const closers = goesOn ? false : passClosers(end);
    if (closers === false) return refuse(NOT_BALANCED);
    const reader = closers === 'too many' || !isJson ? 'repaired' : readerOf(text, start, end);
    // Objects that equal the first count as one with it. Of others no comparison is needed: two that differ are ambiguous.
    const [first] = objects;
    if (first === undefined || !isDeepStrictEqual(first.value, value)) objects.push({ value, reader });
    else if (OBJECT_READERS.indexOf(reader) < OBJECT_READERS.indexOf(first.reader)) first.reader = reader;
  };

  /** Passes the object, or the list whose first object opens at `brace`; false where the brace is one of prose, such as `{x}`. */
  const passObject = (brace: number): boolean => {
    const kind = opens(text, brace + 1);
    if (kind === 'prose') return false;
    const read = kind === 'cut' ? { fault: CUT_OFF } : respell(text, at);
    if ('fault' in read) refuse(unreadable(read.fault));
    else if (hasKnownKey(read.value)) passAnswer(read.value, read.end, read.isJson);
    else {
      other ??= read.value;
      at = read.end;
    }
    return true;
  };

  const take = (char: string): void => {
    if (char === '}' || char === '｝') {
      if (braces === 0) isStray = true;
      else braces -= 1;
    } else if (char === '{' || char === '｛') {
      if (passObject(at)) return;
      if (braces === 0) braceAt = at;
      braces += 1;
    } else if (passTag() || (matches(LIST_OF_OBJECTS, text, at) && passObject(LIST_OF_OBJECTS.lastIndex))) return;
    at += 1;
  };

  passTag();
  while (refusal === null) {
    LANDMARK.lastIndex = at;
    const found = LANDMARK.exec(text);
    if (found === null) break;
    at = found.index;
    take(found[0]);
  }
  if (isStray || (braces > 0 && objects.length === 0)) refusal ??= NOT_BALANCED;
  if (refusal !== null) return refused(refusal);
  return { kind: 'read', objects, other, prose: (prose + text.slice(proseStart)).trim() };
};

/** The kind of brace before `from`: it opens an object by a quote, a known key or a closer; `cut` where the text ends before that is known. */
const opens = (text: string, from: number): 'object' | 'cut' | 'prose' => {
  const near = text.slice(from, from + GAP_CHARS_MAX);
  const at = from + gapEnd(near, 0);
  if (at === text.length || OBJECT_BEGINS.test(text[at]!)) return 'object';
  BARE_KEY.lastIndex = at;
  const [, key, colon] = BARE_KEY.exec(text) ?? [];
  if (key === undefined) return 'prose';
  if (colon === '') return 'cut';
  return KNOWN_KEYS.has(key) ? 'object' : 'prose';
};

const readerOf = (text: string, start: number, end: number): FoundObject['reader'] => {
  if (end - start === text.length) return 'strict';
  const fence = FENCE_BEFORE.exec(text.slice(Math.max(0, start - BEFORE_CHARS), start))?.[1];
  FENCE_BEHIND.lastIndex = end;
  return fence !== undefined && FENCE_BEHIND.exec(text)?.[1] === fence ? 'fenced' : 'embedded';
};
