import { isDeepStrictEqual } from 'node:util';
import { PlanAnswer, ReplanAnswer, ThoughtAnswer, ThoughtStatus } from '../../../contracts/answer.ts';
import type { Reader } from '../../../contracts/event.ts';
import { JSON_DEPTH_MAX } from '../../../contracts/limits.ts';
import type { Messages } from '../../../contracts/messages/messages.ts';
import { yaml } from '../../lib/yaml.ts';
import { behindClosingLine, reasoningTagAt } from './reasoning.ts';
import { CUT_OFF, type Fault, GUESS, ROUNDED, respell } from './respell.ts';

/** Why a model's text is refused, in a given language. Never quotes the text. */
export type Reason = (texts: Messages) => string;

const STATUSES: readonly string[] = ['planned', 'replanned', 'keep', ...ThoughtStatus.options];

/** The keys of the three contracts and of a control object. Before a colon they indicate an object, quoted or not. */
const KNOWN_KEYS: ReadonlySet<string> = new Set([
  ...[PlanAnswer, ThoughtAnswer.in, ReplanAnswer.in].flatMap(({ shape }) => Object.keys(shape)),
  'steps',
  'control',
]);

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** True for an object that was meant as a contract or control object, so that no mark beside it can be the answer. */
export const isContractAttempt = (value: Record<string, unknown>): boolean =>
  ['control', 'plan', 'next_action', 'current_step'].some((key) => Object.hasOwn(value, key)) ||
  STATUSES.includes(String(value['status']).trim().toLowerCase());

/** Longest answer that is parsed, in characters: more than any model writes in one call. */
export const REPLY_CHARS_MAX = 100_000;

/** Longest YAML that is parsed, in characters: the check for duplicate keys takes quadratic time. */
const YAML_CHARS_MAX = 8_192;

/** Best first. */
const OBJECT_READERS = ['strict', 'fenced', 'embedded', 'repaired', 'yaml'] as const satisfies Reader[];

/** A text's prose and its distinct objects with a contract's key, or why the text is refused. */
export type FoundObjects = FoundText | { kind: 'refused'; reason: Reason };

export interface FoundText {
  kind: 'read';
  objects: FoundObject[];
  prose: string;
  /** The prose before the first object, and after the last one that begins a line. */
  before: string;
  behind: string;
  /** True if an answer begins in the middle of a line of prose, where it may be a quotation. */
  isQuoted: boolean;
}

/** An object with a contract's key, and the reader that parsed it. */
export interface FoundObject {
  value: Record<string, unknown>;
  reader: (typeof OBJECT_READERS)[number];
}

const BLANKS = '[\\s\\u00AD\\u200B-\\u200F\\u2060]{0,200}';
const RESERVED_KEY = /__proto__|constructor|prototype/;
const HTML_PAGE = /^<(?:!doctype|html|\?xml)/i;
const KEYS = [...KNOWN_KEYS].join('|');
/** A brace that opens an object: a quote, a contract's key, a closer or the end follows it, or follows a comma. */
const OBJECT = new RegExp(
  `[{｛]${BLANKS}(?:(?://|#).*\\n${BLANKS}|/\\*[^*]*\\*/${BLANKS})?(?:["'\`“”‘’「＂}｝\\\\]|(?:${KEYS})\\s*[:：]|[A-Za-z_]{0,24}$)`,
  'y',
);
/** YAML that begins with a contract's key, at the start of a line or fence. */
const YAML = `^(?:(\`{3}|~{3})(?:ya?ml)?[ \\t]*\\n)?(?:---[ \\t]*\\n)?(?:${KEYS}):\\s`;
const LANDMARK = new RegExp(`[{｛}｝[<◁]|${YAML}`, 'gm');
const YAML_STATUS = /^status:/m;
const QUOTE = /["'`“”‘’「＂]/;
const BRACES_ONLY = /^[\s{｛]*$/;
const CLOSERS = /[\s}\]｝］]*/y;
const END_OF_WRAPPING = /$|`{3}|~{3}|<\//y;
const FENCE_BEFORE = /(`{3}|~{3})[\w+.-]*\s{0,16}$/;
const FENCE_BEHIND = /\s{0,16}(`{3}|~{3})/y;
const IN_ANOTHER = /(?:"[\w$-]{1,64}"\s{0,16}[:：]|[[［])[\s\u200B-\u200F]{0,64}$/;

/** Text that may precede an object on its line: tags, a channel header, a fence, LaTeX's box, an assignment, a call. */
const WRAPPER =
  /<\|(?:start|channel|constrain)\|>[\w .=-]{0,60}|<[^<>]{1,100}>|(?:`{3}|~{3})[\w+.-]{0,16}|\\boxed|^\s{0,16}(?:(?:const|let|var)\s{1,8})?[\w$.]{1,40}\s{0,8}[=(]/g;
const LINE_BREAK = /[\n\r\u2028\u2029]/;
/** A word, or the mark of a quoted line. */
const PROSE = /[\p{L}\p{N}>]/u;

/** Characters before an object that show whether it is in a fence, in a line of prose, or inside another object. */
const BEFORE_CHARS = 150;

const unreadable =
  (fault: Fault): Reason =>
  ({ modelReply }) =>
    modelReply.unreadable(fault(modelReply.fault));

const NOT_BALANCED: Reason = ({ modelReply }) => modelReply.notBalanced;

const refused = (reason: Reason): { kind: 'refused'; reason: Reason } => ({ kind: 'refused', reason });

/**
 * Finds the objects in a model's text (SPEC 5, Reading an answer). Never completes an object, never throws, and never
 * quotes the text in a reason.
 */
export const findObjects = (reply: string): FoundObjects => {
  if (reply.length > REPLY_CHARS_MAX) return refused(({ modelReply }) => modelReply.tooLong(REPLY_CHARS_MAX));
  const text = reply.trim();
  if (text === '') return refused(({ modelReply }) => modelReply.empty);
  if (HTML_PAGE.test(text)) return refused(({ modelReply }) => modelReply.webPage);
  const plain = plainObject(text);
  if (plain !== null) {
    const objects: FoundObject[] = [{ value: plain, reader: 'strict' }];
    return { kind: 'read', objects, prose: text, before: '', behind: '', isQuoted: false };
  }
  const whole = new Scan(text).run();
  // Unreadable text may be reasoning whose opening tag is missing.
  const behind = whole.kind === 'refused' ? behindClosingLine(text) : null;
  const found = behind === null ? whole : new Scan(text.slice(behind).trim()).run();
  return found.kind === 'read' && found.prose === '' ? refused(({ modelReply }) => modelReply.onlyThinking) : found;
};

/**
 * The object of a text that is exactly what `JSON.stringify` writes, as most are: then no key is duplicated and no
 * number loses digits.
 */
const plainObject = (text: string): FoundObject['value'] | null => {
  const isFlat = text.startsWith('{') && text.split(/[[{]/, JSON_DEPTH_MAX + 2).length <= JSON_DEPTH_MAX + 1;
  if (!isFlat || RESERVED_KEY.test(text)) return null;
  try {
    const value = JSON.parse(text);
    return JSON.stringify(value) === text && isContractAttempt(value) ? value : null;
  } catch {
    return null;
  }
};

const matches = (pattern: RegExp, text: string, at: number): boolean => {
  pattern.lastIndex = at;
  return pattern.test(text);
};

/** The prose of a text and the objects in it, as far as it was read. */
class ReadSoFar {
  readonly #text: string;
  #objects: FoundObject[] = [];
  #prose = '';
  /** Where the prose goes on that is not in `#prose` yet. */
  #proseStart = 0;
  /** Where the first object begins in the prose, and where the last one that begins a line ends. */
  #objectsStart = 0;
  #objectsEnd = 0;
  #isQuoted = false;

  constructor(text: string) {
    this.#text = text;
  }

  get hasObject(): boolean {
    return this.#objects.length > 0;
  }

  /** True while nothing but blanks and reasoning stands before a position. */
  isBlankBefore(at: number): boolean {
    return !/\S/.test(this.#prose) && !/\S/.test(this.#text.slice(this.#proseStart, at));
  }

  /** Leaves a tag of reasoning out. All text before a closing tag was reasoning, too. */
  skipTag({ closes, end }: { closes: boolean; end: number }, at: number): void {
    if (closes) {
      this.#objects = [];
      this.#prose = '';
      this.#isQuoted = false;
    } else this.#prose += this.#text.slice(this.#proseStart, at);
    this.#proseStart = end;
  }

  /**
   * Adds an object. Equal objects count as one. More than two need no comparison, as two different ones are already
   * ambiguous. An object in the middle of a line of prose is never the first.
   */
  add({ value, reader }: FoundObject, start: number, end: number): void {
    const [first] = this.#objects;
    const inProse = isInProse(this.#text.slice(Math.max(this.#proseStart, start - BEFORE_CHARS), start));
    if (first === undefined && inProse) {
      this.#isQuoted ||= isContractAttempt(value);
      return;
    }
    const offset = this.#prose.length - this.#proseStart;
    if (first === undefined) this.#objectsStart = start + offset;
    if (!inProse) this.#objectsEnd = end + offset;
    if (first === undefined || !isDeepStrictEqual(first.value, value)) this.#objects.push({ value, reader });
    else if (OBJECT_READERS.indexOf(reader) < OBJECT_READERS.indexOf(first.reader)) first.reader = reader;
  }

  result(): FoundText {
    const prose = this.#prose + this.#text.slice(this.#proseStart);
    return {
      kind: 'read',
      objects: this.#objects,
      prose: prose.trim(),
      before: this.hasObject ? prose.slice(0, this.#objectsStart) : '',
      behind: this.hasObject ? prose.slice(this.#objectsEnd) : '',
      isQuoted: this.#isQuoted,
    };
  }
}

/**
 * One pass over a text. Skips reasoning. Anything that resembles an object and cannot be parsed refuses the whole text:
 * the rest may be a part or a quotation.
 */
class Scan {
  readonly #text: string;
  readonly #read: ReadSoFar;
  #at = 0;
  #yamlChars = 0;
  /** Number of open braces in prose, and the position of the first. */
  #braces = 0;
  #braceAt = 0;

  constructor(text: string) {
    this.#text = text;
    this.#read = new ReadSoFar(text);
  }

  run(): FoundObjects {
    this.#passTag();
    for (let found = this.#nextLandmark(); found !== null; found = this.#nextLandmark()) {
      this.#at = found.index;
      const reason = this.#pass(found);
      if (reason !== null) return refused(reason);
    }
    if (this.#braces > 0 && !this.#read.hasObject) return refused(NOT_BALANCED);
    return this.#read.result();
  }

  #nextLandmark(): RegExpExecArray | null {
    LANDMARK.lastIndex = this.#at;
    return LANDMARK.exec(this.#text);
  }

  #pass([char, fence]: RegExpExecArray): Reason | null {
    if (char.length > 1) return this.#passYaml(fence);
    if (char === '}' || char === '｝') {
      this.#braces -= 1;
      if (this.#braces < 0) return NOT_BALANCED;
    } else if (char === '{' || char === '｛') {
      if (matches(OBJECT, this.#text, this.#at)) return this.#passObject();
      if (this.#braces === 0) this.#braceAt = this.#at;
      this.#braces += 1;
    } else if (this.#passTag()) return null;
    this.#at += 1;
    return null;
  }

  #passTag(): boolean {
    const tag = reasoningTagAt(this.#text, this.#at);
    if (tag === null) return false;
    this.#read.skipTag(tag, this.#at);
    if (tag.closes) this.#braces = 0;
    this.#at = tag.end;
    return true;
  }

  #passObject(): Reason | null {
    const text = this.#text;
    const start = this.#at;
    const read = respell(text, start);
    if ('fault' in read) return unreadable(read.fault);
    const { value, end, isJson } = read;
    this.#at = end;
    if (!Object.keys(value).some((key) => KNOWN_KEYS.has(key))) return null;
    const isInBraces = this.#braces > 0 && !BRACES_ONLY.test(text.slice(this.#braceAt, start));
    if (isInBraces || IN_ANOTHER.test(text.slice(Math.max(0, start - BEFORE_CHARS), start)))
      return unreadable(({ nested }) => nested);
    // A quote right after it and none before: its last string may continue, as a quote and a brace in it were not
    // escaped.
    if (QUOTE.test(text[end] ?? '') && text[start - 1] !== text[end]) return NOT_BALANCED;
    const tooMany = this.#passClosers();
    this.#read.add({ value, reader: tooMany || !isJson ? 'repaired' : readerOf(text, start, end) }, start, this.#at);
    return null;
  }

  /**
   * Skips closing brackets after an object up to the end of the line, fence, tag or text; true if there are too many.
   */
  #passClosers(): boolean {
    matches(CLOSERS, this.#text, this.#at);
    const behind = CLOSERS.lastIndex;
    const run = this.#text.slice(this.#at, behind);
    const isEnd = matches(END_OF_WRAPPING, this.#text, behind) || run.slice(run.trimEnd().length).includes('\n');
    if (!isEnd) return false;
    const surplus = run.replace(/\s+/g, '').length - this.#braces;
    this.#braces = Math.max(0, -surplus);
    this.#at = behind;
    return surplus > 0;
  }

  /** Skips a whole YAML fence, or the whole text if it is YAML and only reasoning precedes it. */
  #passYaml(fence: string | undefined): Reason | null {
    const opening = this.#at;
    const start = fence === undefined ? opening : this.#text.indexOf('\n', opening);
    const end = fence === undefined ? this.#text.length : this.#text.indexOf(`\n${fence}`, start);
    if (end === -1) return unreadable(CUT_OFF);
    const source = this.#text.slice(start, end);
    const isRead = fence !== undefined || this.#read.isBlankBefore(opening);
    if (isRead) this.#yamlChars += source.length;
    if (isRead && this.#yamlChars > YAML_CHARS_MAX && YAML_STATUS.test(source))
      return ({ modelReply }) => modelReply.yamlTooLong(YAML_CHARS_MAX);
    const yaml = isRead && this.#yamlChars <= YAML_CHARS_MAX ? yamlIn(source) : { value: null };
    if ('fault' in yaml && YAML_STATUS.test(source)) return unreadable(yaml.fault);
    if ('fault' in yaml || !isRecord(yaml.value) || !isContractAttempt(yaml.value)) {
      this.#at += 1;
      return null;
    }
    const read = respell(JSON.stringify(yaml.value), 0);
    if ('fault' in read) return unreadable(read.fault);
    this.#at = end;
    this.#read.add({ value: read.value, reader: 'yaml' }, opening, end);
    return null;
  }
}

/** Whether an object stands in the middle of a line of prose, by the text before it. */
const isInProse = (before: string): boolean => PROSE.test(before.split(LINE_BREAK).at(-1)!.replaceAll(WRAPPER, ''));

/** The value of YAML; a fault if it cannot be parsed, has an alias, or has a number that may have lost digits. */
const yamlIn = (source: string): { value: unknown } | { fault: Fault } => {
  let fault = GUESS;
  const exact = (_key: unknown, value: unknown): unknown => {
    if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
      fault = ROUNDED;
      throw new RangeError('A number too large');
    }
    return value;
  };
  try {
    return { value: yaml().parse(source, exact, { maxAliasCount: 0, logLevel: 'error' }) };
  } catch {
    return { fault };
  }
};

const readerOf = (text: string, start: number, end: number): FoundObject['reader'] => {
  if (end - start === text.length) return 'strict';
  const fence = FENCE_BEFORE.exec(text.slice(Math.max(0, start - BEFORE_CHARS), start))?.[1];
  FENCE_BEHIND.lastIndex = end;
  return fence !== undefined && FENCE_BEHIND.exec(text)?.[1] === fence ? 'fenced' : 'embedded';
};
