import { isDeepStrictEqual } from 'node:util';
import { PlanAnswer, ReplanAnswer, ReplanStatus, ThoughtAnswer, ThoughtStatus } from '../../../contracts/answer.ts';
import type { Reader } from '../../../contracts/event.ts';
import type { JsonKind } from '../../../contracts/messages/en/models.ts';
import type { Messages } from '../../../contracts/messages/messages.ts';
import { behindClosingLine, reasoningTagAt } from './reasoning.ts';
import { CUT_OFF, type Fault, gapEnd, type Respelled, respell } from './respell.ts';

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

/** Objects with a key of a contract in one answer, drafts among them. */
const ANSWERS_MAX = 50;

/** Times that reading starts again behind reasoning whose opening tag is missing: each costs a scan to the end. */
const RESTARTS_MAX = 5;

/** The readers that find an object, best first. */
const OBJECT_READERS = ['strict', 'fenced', 'embedded', 'repaired'] as const satisfies Reader[];
export type ObjectReader = (typeof OBJECT_READERS)[number];

export interface FoundObject {
  value: unknown;
  reader: ObjectReader;
}

/** A text's prose, its differing objects with a key of a contract, and the first one without, if any; or why the text is refused. */
export type FoundObjects =
  | { kind: 'read'; objects: FoundObject[]; other: unknown; prose: string }
  | { kind: 'refused'; reason: Reason };

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

type ReadValue = Extract<Respelled, { end: number }>;

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
  const found = new ReplyScan(text).run();
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
class ReplyScan {
  readonly #text: string;
  #at = 0;
  #objects: FoundObject[] = [];
  #other: unknown;
  #prose = '';
  #proseStart = 0;
  /** Braces of prose that are open, where the first of them opened, and whether one closed that never opened. */
  #braces = 0;
  #braceAt = 0;
  #isStray = false;
  #restarts = 0;
  #answers = 0;
  #refusal: Reason | null = null;

  constructor(text: string) {
    this.#text = text;
  }

  run(): FoundObjects {
    const text = this.#text;
    this.#passTag();
    while (this.#refusal === null) {
      LANDMARK.lastIndex = this.#at;
      const found = LANDMARK.exec(text);
      if (found === null) break;
      this.#at = found.index;
      this.#take(found[0]);
    }
    const isOpen = this.#braces > 0 && this.#objects.length === 0;
    if (this.#isStray || isOpen) this.#refusal ??= NOT_BALANCED;
    if (this.#refusal !== null) return refused(this.#refusal);
    const prose = (this.#prose + text.slice(this.#proseStart)).trim();
    return { kind: 'read', objects: this.#objects, other: this.#other, prose };
  }

  #take(char: string): void {
    if (char === '}' || char === '｝') {
      if (this.#braces === 0) this.#isStray = true;
      else this.#braces -= 1;
    } else if (char === '{' || char === '｛') {
      if (this.#passObject(this.#at)) return;
      if (this.#braces === 0) this.#braceAt = this.#at;
      this.#braces += 1;
    } else if (this.#passTag()) return;
    else if (matches(LIST_OF_OBJECTS, this.#text, this.#at) && this.#passObject(LIST_OF_OBJECTS.lastIndex)) return;
    this.#at += 1;
  }

  /** Starts again when reasoning with unreadable content closes further on; refuses the text when none does. */
  #refuse(reason: Reason): void {
    this.#restarts += 1;
    const behind = this.#restarts > RESTARTS_MAX ? null : behindClosingLine(this.#text, this.#at);
    if (behind === null) this.#refusal = reason;
    else this.#startAt(behind);
  }

  #startAt(index: number): void {
    this.#objects = [];
    this.#other = undefined;
    this.#prose = '';
    this.#braces = 0;
    this.#isStray = false;
    this.#proseStart = this.#at = index;
  }

  #passTag(): boolean {
    const tag = reasoningTagAt(this.#text, this.#at);
    if (tag === null) return false;
    if (tag.kind === 'close') this.#startAt(tag.end);
    else {
      this.#prose += this.#text.slice(this.#proseStart, this.#at);
      this.#proseStart = this.#at = tag.behind();
    }
    return true;
  }

  /** Passes the object, or the list whose first object opens at `brace`; false where the brace is one of prose, such as `{x}`. */
  #passObject(brace: number): boolean {
    const text = this.#text;
    const start = this.#at;
    const kind = opens(text, brace + 1);
    if (kind === 'prose') return false;
    const read = kind === 'cut' ? { fault: CUT_OFF } : respell(text, start);
    if ('fault' in read) this.#refuse(unreadable(read.fault));
    else if (!hasKnownKey(read.value)) {
      this.#other ??= read.value;
      this.#at = read.end;
    } else this.#passAnswer(start, read);
    return true;
  }

  #passAnswer(start: number, read: ReadValue): void {
    const text = this.#text;
    const isInBraces = this.#braces > 0 && !BRACES_ONLY.test(text.slice(this.#braceAt, start));
    if (isInBraces || INNER_VALUE.test(text.slice(Math.max(0, start - BEFORE_CHARS), start)))
      return this.#refuse(unreadable(({ nested }) => nested));
    this.#answers += 1;
    if (this.#answers > ANSWERS_MAX) return this.#refuse(({ modelReply }) => modelReply.ambiguous);
    const closers = this.#closersAt(read.end);
    // A quote right behind and none before: its last string may go on, since a quote and a brace in it were not escaped.
    const goesOn = QUOTE.test(text[read.end] ?? '') && text[start - 1] !== text[read.end];
    if (closers === null || goesOn) return this.#refuse(NOT_BALANCED);
    this.#at = closers.behind;
    this.#add(read.value, closers.areTooMany ? 'repaired' : readerOf(text, start, read));
  }

  /** The braces of prose that close behind an object, or closers too many at the end of the line, the fence or the tag; null for those elsewhere. */
  #closersAt(end: number): { behind: number; areTooMany: boolean } | null {
    matches(CLOSERS, this.#text, end);
    const behind = CLOSERS.lastIndex;
    const run = this.#text.slice(end, behind);
    const count = run.replace(/\s+/g, '').length;
    if (count <= this.#braces) {
      this.#braces -= count;
      return { behind, areTooMany: false };
    }
    this.#braces = 0;
    const isEnd = matches(END_OF_WRAPPING, this.#text, behind) || run.slice(run.trimEnd().length).includes('\n');
    return isEnd ? { behind, areTooMany: true } : null;
  }

  /** Objects that equal the first count as one with it. Of others no comparison is needed: two that differ are ambiguous. */
  #add(value: unknown, reader: ObjectReader): void {
    const [first] = this.#objects;
    if (first === undefined || !isDeepStrictEqual(first.value, value)) this.#objects.push({ value, reader });
    else if (OBJECT_READERS.indexOf(reader) < OBJECT_READERS.indexOf(first.reader)) first.reader = reader;
  }
}

/** What the brace before `from` opens: an object by a quote, a known key or a closer; `cut` where the text ends before that is known. */
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

const readerOf = (text: string, start: number, { end, isJson }: ReadValue): ObjectReader => {
  if (!isJson) return 'repaired';
  if (end - start === text.length) return 'strict';
  const fence = FENCE_BEFORE.exec(text.slice(Math.max(0, start - BEFORE_CHARS), start))?.[1];
  FENCE_BEHIND.lastIndex = end;
  return fence !== undefined && FENCE_BEHIND.exec(text)?.[1] === fence ? 'fenced' : 'embedded';
};
