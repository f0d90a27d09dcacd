import { type ScannedValue, scanValue } from './scan-value.ts';

/** An object, or an array of objects, that stands in the text and in no other value. */
export interface FoundValue extends ScannedValue {
  start: number;
  text: string;
  /** A code fence holds this and nothing else. */
  fenced: boolean;
}

/** `prose` is the text without its think blocks. A `fault` means that no part of the text may be read. */
export type Findings = { values: FoundValue[]; prose: string } | { fault: string };

interface Fence {
  mark: string;
  bodyStart: number;
  /** How many values were found before it opened. */
  valuesBefore: number;
}

const LANDMARK = /<(\/?)think(?:ing)?\s*>|`{3,}|(?=~{3})(?<=^[ \t]*)~{3,}|[{}[]/gim;
const THINK_END = /<\/think(?:ing)?\s*>/gi;
const BRACE = /\{\s*/y;
const BRACKET_BEFORE_BRACE = /\[\s*(?=\{)/y;
/** A brace opens an object when a quote, a closing brace, a comment, a key with its colon, or the text's end follows. */
const OBJECT_BEGINS = /["'“”‘’}]|\/[/*]|[A-Za-z_$][\w$-]*\s*[:：]|[\w$]*\s*$/y;

/**
 * Finds every value that could be an answer, in one pass. Think blocks are drafts and hide what they hold; one that
 * never closes hides the rest of the text, and a closing tag alone hides all before it. `{x}` or `{1, 2}` in prose
 * is no object; a closing brace without its opening one is a fault, since a string may have been ended too early.
 */
export function findValues(text: string): Findings {
  let values: FoundValue[] = [];
  let prose: string[] = [];
  let proseStart = 0;
  let proseBraces = 0;
  let strayBrace = false;
  let fence: Fence | null = null;
  LANDMARK.lastIndex = 0;
  for (let found = LANDMARK.exec(text); found !== null; found = LANDMARK.exec(text)) {
    const at = found.index;
    const mark = found[0];
    if (mark.startsWith('</')) {
      values = [];
      prose = [];
      proseStart = LANDMARK.lastIndex;
      proseBraces = 0;
      strayBrace = false;
      fence = null;
    } else if (mark.startsWith('<')) {
      prose.push(text.slice(proseStart, at));
      THINK_END.lastIndex = LANDMARK.lastIndex;
      proseStart = THINK_END.test(text) ? THINK_END.lastIndex : text.length;
      LANDMARK.lastIndex = proseStart;
    } else if (mark.length >= 3) {
      if (fence === null) fence = { mark, bodyStart: LANDMARK.lastIndex, valuesBefore: values.length };
      else if (mark[0] === fence.mark[0]) {
        markFenced(text, fence, at, values);
        fence = null;
      }
    } else if (opensValue(text, at)) {
      const value = scanValue(text, at);
      if ('fault' in value) return { fault: `the JSON in the answer can't be read: ${value.fault}` };
      values.push({ ...value, start: at, text: text.slice(at, value.end), fenced: false });
      LANDMARK.lastIndex = value.end;
    } else if (mark === '{') proseBraces += 1;
    else if (mark === '}') {
      strayBrace ||= proseBraces === 0;
      proseBraces = Math.max(0, proseBraces - 1);
    }
  }
  if (strayBrace) return { fault: 'the braces in the answer are not balanced' };
  return { values, prose: [...prose, text.slice(proseStart)].join('').trim() };
}

function opensValue(text: string, at: number): boolean {
  const brace = endOfMatch(BRACKET_BEFORE_BRACE, text, at) ?? at;
  const first = endOfMatch(BRACE, text, brace);
  return first !== null && endOfMatch(OBJECT_BEGINS, text, first) !== null;
}

/** Where a sticky pattern's match at `at` ends. */
function endOfMatch(pattern: RegExp, text: string, at: number): number | null {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : null;
}

/** Marks the one value that fills a fence, but for the fence's language tag. */
function markFenced(text: string, fence: Fence, fenceEnd: number, values: FoundValue[]): void {
  const value = values.at(-1);
  if (value === undefined || values.length !== fence.valuesBefore + 1) return;
  const before = text.slice(fence.bodyStart, value.start);
  const after = text.slice(value.end, fenceEnd);
  value.fenced = /^[\w+.-]*$/.test(before.trim()) && after.trim() === '';
}
