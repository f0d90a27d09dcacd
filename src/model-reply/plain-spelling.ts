import { nextToken, type Token } from './tokens.ts';

const CONTROL_ESCAPES: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' };
const OTHER_THAN_WORDS = /\\u[\da-fA-F]{4}|\\.|[^\w ]/gs;

/**
 * Spells a scanned, repairable value for jsonrepair: no comments, ASCII punctuation, and every string in double quotes with
 * all but plain words escaped. jsonrepair guesses where a string ends by what it holds; here it finds nothing to guess at.
 */
export function plainSpelling(text: string): string {
  const pieces: string[] = [];
  for (let token = nextToken(text, 0); token !== null; token = nextToken(text, token.end))
    pieces.push(token.onNewLine ? '\n' : ' ', spell(text, token));
  return pieces.join('');
}

function spell(text: string, token: Token): string {
  switch (token.kind) {
    case 'comma':
      return ',';
    case 'colon':
      return ':';
    case 'string':
      return `"${text.slice(token.start + 1, token.end - 1).replaceAll(OTHER_THAN_WORDS, unicodeEscape)}"`;
    case 'open':
    case 'close':
    case 'word':
      return text.slice(token.start, token.end);
    default:
      return token.kind satisfies never;
  }
}

/** One character or one escape, as `\uXXXX`. */
function unicodeEscape(part: string): string {
  if (part.startsWith('\\u') && part.length === 6) return part;
  const char = part.length === 2 ? (CONTROL_ESCAPES[part[1]!] ?? part[1]!) : part;
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
