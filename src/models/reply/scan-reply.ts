import { type Fence, fenceMarkAt, fillsFence } from './fences.ts';
import { GUESS } from './frame.ts';
import { isRecord, KNOWN_KEYS } from './known-keys.ts';
import { LANDMARKS_MAX, OBJECTS_MAX, RESTARTS_MAX } from './limits.ts';
import { isInnerValue, mayGoOn, passClosers } from './neighbours.ts';
import { endsKey, objectStart } from './object-start.ts';
import { type Allowance, allowanceOf, CUT_OFF, type ParsedValue, parseValue } from './parse-value.ts';
import { ProseBrackets } from './prose-brackets.ts';
import { type Reason, unreadable } from './reason.ts';
import { behindClosingLine, type ReasoningTag, reasoningTagAt } from './reasoning.ts';

/** An object, or a list of objects, at the top level of a reply. */
export interface FoundValue {
  value: unknown;
  start: number;
  end: number;
  /** A code fence contains this and nothing else. */
  isFenced: boolean;
  hasClosersTooMany: boolean;
}

/** What a reply contains: values, and its text without reasoning; or an object in another encoding; or why none may be read. */
export type Scan =
  | { kind: 'values'; values: FoundValue[]; prose: string }
  | { kind: 'encoded'; by: 'escaped' | 'entities'; at: number }
  | { kind: 'refused'; reason: Reason };

/** What may open, close or resemble a part of an object, a fence or reasoning. */
const LANDMARK = /[{}｛｝[\]:：<◁&`~]/g;
const LIST_OF_OBJECTS = /\[\s*(?=[{｛])/y;
const ENCODED_BRACE = /&(?:#0{0,4}123|#[xX]0{0,4}7[bB]|lbrace|lcub);\s{0,200}&/y;

const NESTED = unreadable(({ nested }) => nested);
const NOT_BALANCED: Reason = ({ modelReply }) => modelReply.notBalanced;
export const AMBIGUOUS: Reason = ({ modelReply }) => modelReply.ambiguous;

/**
 * Finds every value that could be an answer, in one pass (SPEC 5). Reasoning hides its content: also when it never closes, and
 * all before a closing tag that has no opening one. Text that resembles an object and can't be read refuses the whole text, for
 * what stands in or beside it may be a part or a quotation. Linear, but for `RESTARTS_MAX` new starts.
 */
export const scanReply = (text: string): Scan => new ReplyScanner(text).scan();

class ReplyScanner {
  readonly #text: string;
  #at = 0;
  #values: FoundValue[] = [];
  #prose: string[] = [];
  #proseStart = 0;
  #brackets = new ProseBrackets();
  #fence: Fence | null = null;
  #restarts = 0;
  /** Objects read, and tries to read those that may be prose; a new start forgets neither. */
  #objects = 0;
  #tries = 0;
  readonly #left: Allowance;
  #end: Scan | null = null;

  constructor(text: string) {
    this.#text = text;
    this.#left = allowanceOf(text);
  }

  scan(): Scan {
    const text = this.#text;
    this.#takeTag();
    for (let landmarks = 0; this.#end === null; landmarks += 1) {
      LANDMARK.lastIndex = this.#at;
      const char = LANDMARK.exec(text)?.[0];
      if (char === undefined) break;
      if (landmarks === LANDMARKS_MAX)
        return { kind: 'refused', reason: ({ modelReply }) => modelReply.tooManyBrackets };
      this.#at = LANDMARK.lastIndex - 1;
      this.#take(char);
    }
    if (this.#end !== null) return this.#end;
    if (this.#brackets.hasStray) return { kind: 'refused', reason: NOT_BALANCED };
    const prose = [...this.#prose, text.slice(this.#proseStart)].join('').trim();
    return { kind: 'values', values: this.#values, prose };
  }

  #take(char: string): void {
    switch (char) {
      case '{':
      case '｛':
        return this.#takeBrace();
      case '`':
      case '~':
        return this.#takeFence();
      case '[':
        return this.#takeTag() ? undefined : this.#takeBracket();
      case '<':
      case '◁':
        if (this.#takeTag()) return;
        break;
      case '&':
        ENCODED_BRACE.lastIndex = this.#at;
        if (ENCODED_BRACE.test(this.#text)) return this.#takeEncoded('entities');
        break;
      case ']':
        if (!this.#brackets.closeBracket()) return this.#refuse(NESTED);
        break;
      case ':':
      case '：':
        if (this.#brackets.inBraces && endsKey(this.#text, this.#at)) return this.#refuse(unreadable(GUESS));
        break;
      default:
        this.#brackets.closeBrace();
    }
    this.#at += 1;
  }

  #startAt(index: number): void {
    this.#values = [];
    this.#prose = [];
    this.#brackets = new ProseBrackets();
    this.#fence = null;
    this.#proseStart = this.#at = index;
  }

  /** Starts again when reasoning with unreadable content closes further on; refuses the text when none does. */
  #refuse(reason: Reason): void {
    this.#restarts += 1;
    const behind = this.#restarts > RESTARTS_MAX ? null : behindClosingLine(this.#text, this.#at);
    if (behind === null) this.#end = { kind: 'refused', reason };
    else this.#startAt(behind);
  }

  #takeTag(): boolean {
    const tag: ReasoningTag | null = reasoningTagAt(this.#text, this.#at);
    if (tag === null) return false;
    if (tag.kind === 'close') this.#startAt(tag.end);
    else {
      this.#prose.push(this.#text.slice(this.#proseStart, this.#at));
      this.#proseStart = this.#at = tag.behind();
    }
    return true;
  }

  #takeBrace(): void {
    const kind = objectStart(this.#text, this.#at, this.#left);
    switch (kind) {
      case 'object':
        return this.#takeValue(parseValue(this.#text, this.#at, this.#left));
      case 'named':
        return this.#takeNamed();
      case 'escaped':
      case 'entities':
        return this.#takeEncoded(kind);
      case 'cut':
        return this.#refuse(unreadable(CUT_OFF));
      case null:
        this.#brackets.openBrace(this.#at);
        this.#at += 1;
        return;
      default:
        return kind satisfies never;
    }
  }

  #takeBracket(): void {
    LIST_OF_OBJECTS.lastIndex = this.#at;
    const isList =
      LIST_OF_OBJECTS.test(this.#text) &&
      ['object', 'cut'].includes(objectStart(this.#text, LIST_OF_OBJECTS.lastIndex, this.#left) ?? '');
    if (isList) return this.#takeValue(parseValue(this.#text, this.#at, this.#left));
    this.#brackets.openBracket(this.#text, this.#at);
    this.#at += 1;
  }

  /** An object in another encoding is decoded with the text behind it, so it must be the first that is found. */
  #takeEncoded(by: 'escaped' | 'entities'): void {
    if (this.#values.length > 0) this.#refuse(AMBIGUOUS);
    else this.#end = { kind: 'encoded', by, at: this.#at };
  }

  #takeValue(parsed: ParsedValue): void {
    if ('fault' in parsed) return this.#refuse(unreadable(parsed.fault));
    const start = this.#at;
    const wraps = this.#brackets.wrapsOf(this.#text, start);
    if (wraps === null || isInnerValue(this.#text, start)) return this.#refuse(NESTED);
    this.#objects += 1;
    if (this.#objects > OBJECTS_MAX) return this.#refuse(({ modelReply }) => modelReply.tooManyObjects(OBJECTS_MAX));
    const closers = passClosers(this.#text, parsed.end, wraps);
    if (closers === null || mayGoOn(this.#text, start, parsed.end)) return this.#refuse(NOT_BALANCED);
    const { value, end } = parsed;
    this.#values.push({ value, start, end, isFenced: false, hasClosersTooMany: closers.areTooMany });
    this.#brackets.passObject();
    this.#at = closers.behind;
  }

  /** Reads an object whose first key is no contract's: without any that is, it is prose, such as `{a: 1}`. */
  #takeNamed(): void {
    this.#tries += 1;
    const parsed = this.#tries > OBJECTS_MAX ? null : parseValue(this.#text, this.#at, this.#left);
    if (parsed === null || ('fault' in parsed && !parsed.isCut)) {
      this.#brackets.openBrace(this.#at);
      this.#at += 1;
    } else if ('fault' in parsed || hasKnownKey(parsed.value)) this.#takeValue(parsed);
    else this.#at = parsed.end;
  }

  #takeFence(): void {
    const mark = fenceMarkAt(this.#text, this.#at);
    if (mark !== null) {
      const value = this.#values.at(-1);
      if (this.#fence === null)
        this.#fence = { mark, bodyStart: this.#at + mark.length, valuesBefore: this.#values.length };
      else if (mark[0] === this.#fence.mark[0]) {
        if (value !== undefined && this.#values.length === this.#fence.valuesBefore + 1)
          value.isFenced = fillsFence(this.#text, this.#fence, this.#at, value);
        this.#fence = null;
      }
    }
    this.#at += mark?.length ?? 1;
  }
}

const hasKnownKey = (value: unknown): boolean =>
  isRecord(value) && Object.keys(value).some((key) => KNOWN_KEYS.has(key));
