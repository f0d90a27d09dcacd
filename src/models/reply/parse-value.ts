import { JSON_DEPTH_MAX } from '../../../contracts/limits.ts';
import { type Frame, GUESS, mayClose, openFrame, put, take, takesValue } from './frame.ts';
import { type BeforeGap, isGuessedComment } from './guessed-comment.ts';
import { ODD_CHARS_MAX, REPLY_TOKENS_MAX, REREAD_CHARS_MAX, TOKENS_MAX } from './limits.ts';
import type { Fault } from './reason.ts';
import { nextToken, type Token } from './tokens.ts';

/** Why a value that the text ends in is refused. */
export const CUT_OFF: Fault = ({ cutOff }) => cutOff;

/** A whole object or list and where it ends, or why it can't be read; `isCut` when the text ended first. */
export type ParsedValue = { value: unknown; end: number } | { fault: Fault; isCut: boolean };

/** What may still be read of a reply: of all its objects together, and of what is tried in vain, for an object in an object is read again. */
export interface Allowance {
  chars: number;
  tokens: number;
  oddChars: number;
}

/** That of a reply of which nothing was read. */
export const allowanceOf = (reply: string): Allowance => ({
  chars: reply.length + REREAD_CHARS_MAX,
  tokens: REPLY_TOKENS_MAX,
  oddChars: ODD_CHARS_MAX,
});

/** True while all that follows may be read: each character once, and few of them again. */
export const mayRead = (text: string, from: number, { chars }: Allowance): boolean => text.length - from <= chars;

/**
 * Reads the object or list that opens at `start`, in any spelling that says all and has one meaning (SPEC 5): what JSON.parse
 * reads, it reads the same. Linear, without recursion. Never completes a value, and never takes one of two readings.
 */
export const parseValue = (text: string, start: number, left = allowanceOf(text)): ParsedValue => {
  if (!mayRead(text, start, left)) return refused((texts) => texts.tooManyTokens(REPLY_TOKENS_MAX));
  const open: Frame[] = [];
  let before: BeforeGap = null;
  let end = start;
  let count = 0;
  for (let token = nextToken(text, start); token !== null; token = nextToken(text, end)) {
    const gap = text.slice(end, token.start);
    if (isGuessedComment(gap, before)) return refused(GUESS);
    count += 1;
    if (count > TOKENS_MAX) return refused((texts) => texts.tooManyTokens(TOKENS_MAX));
    left.tokens -= 1;
    left.chars -= token.end - end;
    if (left.tokens < 0) return refused((texts) => texts.tooManyTokens(REPLY_TOKENS_MAX));
    if (token.kind === 'string') left.oddChars -= token.oddChars;
    if (left.oddChars < 0) return refused((texts) => texts.tooLongToRepair);
    const fault = takeToken(open, token, gap.includes('\n'));
    if (fault !== null) return 'value' in fault ? { value: fault.value, end: token.end } : refused(fault.fault);
    before = beforeNext(text, token, before);
    end = token.end;
  }
  // Looked for to the end of the text, as for a quote that closes none.
  left.chars -= text.length - end;
  return { fault: CUT_OFF, isCut: true };
};

const refused = (fault: Fault): ParsedValue => ({ fault, isCut: false });

const faultOf = (fault: Fault | null): { fault: Fault } | null => (fault === null ? null : { fault });

/** What the token made of the open frames: nothing to tell, the finished value, or a fault. */
const takeToken = (open: Frame[], token: Token, onNewLine: boolean): { value: unknown } | { fault: Fault } | null => {
  const frame = open.at(-1);
  if (token.kind === 'open') {
    if (frame !== undefined && !takesValue(frame)) return { fault: GUESS };
    if (open.length === JSON_DEPTH_MAX) return { fault: (texts) => texts.tooDeep(JSON_DEPTH_MAX) };
    open.push(openFrame(token.closer));
    return null;
  }
  if (frame === undefined) return { fault: GUESS };
  if (token.kind !== 'close') return faultOf(take(frame, token, onNewLine));
  if (token.closer !== frame.closer) return { fault: (texts) => texts.bracketsDoNotMatch };
  if (!mayClose(frame)) return { fault: GUESS };
  open.pop();
  const parent = open.at(-1);
  return parent === undefined ? { value: frame.items } : faultOf(put(parent, frame.items, 'container'));
};

const beforeNext = (text: string, token: Token, before: BeforeGap): BeforeGap => {
  if (token.kind === 'string') return { closingQuote: text[token.end - 1]!, hasComma: false };
  return token.kind === 'comma' && before !== null ? { ...before, hasComma: true } : null;
};
