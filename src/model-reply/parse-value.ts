import { JSON_DEPTH_MAX } from '../../contracts/limits.ts';
import { type Frame, GUESS, mayClose, openFrame, put, take, takesValue } from './frame.ts';
import { type BeforeGap, isGuessedComment } from './guessed-comment.ts';
import { ODD_CHARS_MAX, TOKENS_MAX } from './limits.ts';
import type { Fault } from './reason.ts';
import { nextToken, type Token } from './tokens.ts';

/** Why a value that the text ends in is refused. */
export const CUT_OFF: Fault = ({ cutOff }) => cutOff;

/** A whole object or list and where it ends, or why it can't be read; `isCut` when the text ended first. */
export type ParsedValue = { value: unknown; end: number } | { fault: Fault; isCut: boolean };

/**
 * Reads the object or list that opens at `start`, in any spelling that says all and has one meaning (SPEC 5): what JSON.parse
 * reads, it reads the same. Linear, without recursion. Never completes a value, and never takes one of two readings.
 */
export const parseValue = (text: string, start: number): ParsedValue => {
  const open: Frame[] = [];
  let before: BeforeGap = null;
  let end = start;
  let count = 0;
  let oddChars = 0;
  for (let token = nextToken(text, start); token !== null; token = nextToken(text, end)) {
    const gap = text.slice(end, token.start);
    if (isGuessedComment(gap, before)) return refused(GUESS);
    count += 1;
    if (count > TOKENS_MAX) return refused((texts) => texts.tooManyTokens(TOKENS_MAX));
    if (token.kind === 'string') oddChars += token.oddChars;
    if (oddChars > ODD_CHARS_MAX) return refused((texts) => texts.tooLongToRepair);
    const fault = takeToken(open, token, gap.includes('\n'));
    if (fault !== null) return 'value' in fault ? { value: fault.value, end: token.end } : refused(fault.fault);
    before = beforeNext(text, token, before);
    end = token.end;
  }
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
