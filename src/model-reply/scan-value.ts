import { JSON_DEPTH_MAX } from '../../contracts/limits.ts';
import { nextToken, type Token } from './tokens.ts';

/** One balanced object or array. `repairable`: whatever it lacks to be JSON is a slip with one meaning. */
export interface ScannedValue {
  end: number;
  repairable: boolean;
}

/** What the token before was; `key` is a string or word that a colon must follow. */
type Before = 'open' | 'comma' | 'key' | 'colon' | 'value';

const KEY = /^[A-Za-z_$][\w$-]*$/;
const LITERAL = /^(?:true|false|null|True|False|None|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;

/**
 * Scans the object or array that opens at `start`, in linear time and without recursion, and never completes
 * it: a value that doesn't close, closes with the wrong bracket or nests too deeply is a `fault`. Slips that would
 * have to be guessed at (unescaped inner quotes, `...`, missing values, unknown escapes) make it unrepairable.
 */
export function scanValue(text: string, start: number): ScannedValue | { fault: string } {
  const open: string[] = [];
  let repairable = true;
  let before: Before = 'colon';
  for (let token = nextToken(text, start); token !== null; token = nextToken(text, token.end)) {
    const inObject = open.at(-1) === '{';
    const after = follow(text, token, before, inObject);
    if (after === null) repairable = false;
    before = after ?? 'value';
    if (token.kind === 'open') {
      open.push(text[token.start]!);
      if (open.length > JSON_DEPTH_MAX) return { fault: `nested deeper than ${JSON_DEPTH_MAX} levels` };
      before = 'open';
    }
    if (token.kind === 'close') {
      if (open.pop() !== (text[token.start] === '}' ? '{' : '[')) return { fault: 'its brackets do not match' };
      if (open.length === 0) return { end: token.end, repairable };
    }
  }
  return { fault: 'it never closes, so the answer was cut off' };
}

/** What the token makes of its place, or null where nothing but a guess could make JSON of it. */
function follow(text: string, token: Token, before: Before, inObject: boolean): Before | null {
  const needsKey = inObject && (before === 'open' || before === 'comma');
  const takesValue = !needsKey && before !== 'key' && before !== 'value';
  switch (token.kind) {
    case 'open':
      return takesValue ? 'open' : null;
    case 'close':
      return before === 'key' || before === 'colon' ? null : 'value';
    case 'comma':
      return before === 'value' ? 'comma' : null;
    case 'colon':
      return before === 'key' ? 'colon' : null;
    case 'string':
      if (!token.soundEscapes) return null;
      // A key on a line of its own is the one place where a missing comma is no guess.
      if (needsKey || (before === 'value' && inObject && token.onNewLine)) return 'key';
      return takesValue ? 'value' : null;
    case 'word': {
      const word = text.slice(token.start, token.end);
      if (needsKey) return KEY.test(word) ? 'key' : null;
      return takesValue && LITERAL.test(word) ? 'value' : null;
    }
    default:
      return token.kind satisfies never;
  }
}
