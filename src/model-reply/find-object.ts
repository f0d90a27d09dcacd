import type { Reader } from '../../contracts/event.ts';
import { JSON_DEPTH_MAX } from '../../contracts/limits.ts';
import { reservedKey } from '../../contracts/reserved-key.ts';
import { type FoundValue, findValues } from './find-values.ts';
import { ANSWER_CHARS_MAX } from './limits.ts';
import { type ParsedValue, parseValue, tryParse } from './parse-value.ts';

/** The readers that find an object, best first. */
const OBJECT_READERS = ['strict', 'fenced', 'embedded', 'repaired'] as const satisfies Reader[];
type ObjectReader = (typeof OBJECT_READERS)[number];

/** What a model's text holds: its one object, prose only (without think blocks), or nothing that may be read. */
export type FoundObject =
  | { kind: 'object'; reader: ObjectReader; object: object }
  | { kind: 'prose'; prose: string }
  | { kind: 'refused'; reason: string };

const HTML_PAGE = /^<(?:!doctype|html|\?xml)/i;

/**
 * Finds the one object that a model's text holds (SPEC 5, Reading an answer). Several equal objects count as one,
 * different ones are ambiguous. Never completes an object, never throws, and never quotes the text in a reason.
 */
export function findObject(text: string): FoundObject {
  const answer = text.trim();
  if (answer === '') return refused('the answer is empty');
  if (answer.length > ANSWER_CHARS_MAX) return refused(`the answer is longer than ${ANSWER_CHARS_MAX} characters`);
  if (HTML_PAGE.test(answer)) return refused('the answer is a web page, not a JSON object');
  const whole = tryParse(answer);
  if (whole !== null && answer.startsWith('{') && isShallow(answer)) return unreserved('strict', whole.value as object);
  const otherJson = answer.startsWith('{') ? null : whole;
  if (otherJson !== null) return refused(`the answer is ${jsonKind(otherJson.value)}, not a JSON object`);

  const findings = findValues(answer);
  if ('fault' in findings) return refused(findings.fault);
  if (findings.values.length > 0) return oneObject(answer, findings.values);
  if (findings.prose === '') return refused('the answer holds only thinking');
  return { kind: 'prose', prose: findings.prose };
}

function oneObject(answer: string, values: FoundValue[]): FoundObject {
  const readers: ObjectReader[] = [];
  let first: ParsedValue | null = null;
  let firstSpelling = '';
  for (const found of values) {
    const parsed = parseValue(found.text, found.repairable);
    if ('fault' in parsed) {
      if (values.length > 1) return ambiguous;
      return refused(`the JSON in the answer can't be read: ${parsed.fault}`);
    }
    const spelling = values.length === 1 ? '' : spell(parsed.value);
    if (first === null) {
      first = parsed;
      firstSpelling = spelling;
    } else if (spelling !== firstSpelling) return ambiguous;
    readers.push(readerOf(answer, found, parsed.repaired));
  }
  if (first === null || 'fault' in first) return refused('the answer holds no JSON object');
  const { value } = first;
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return refused(`the answer is ${jsonKind(value)}, not a JSON object`);
  return unreserved(OBJECT_READERS.find((reader) => readers.includes(reader))!, value);
}

function unreserved(reader: ObjectReader, object: object): FoundObject {
  const key = reservedKey(object);
  return key === null ? { kind: 'object', reader, object } : refused(`the key "${key}" is refused`);
}

/** True when there are too few brackets to nest too deeply, so that a whole object need not be scanned: the common case. */
function isShallow(answer: string): boolean {
  let brackets = 0;
  for (let i = 0; i < answer.length && brackets <= JSON_DEPTH_MAX; i++) {
    const char = answer.charCodeAt(i);
    if (char === 0x7b || char === 0x5b) brackets += 1;
  }
  return brackets <= JSON_DEPTH_MAX;
}

const refused = (reason: string): FoundObject => ({ kind: 'refused', reason });
const ambiguous = refused('the answer is ambiguous: it holds several different JSON objects');

function readerOf(answer: string, found: FoundValue, repaired: boolean): ObjectReader {
  if (repaired) return 'repaired';
  if (found.text.length === answer.length) return 'strict';
  return found.fenced ? 'fenced' : 'embedded';
}

/** One spelling for all values that are deeply equal, whatever the order of their keys. */
function spell(value: unknown): string {
  return JSON.stringify(value, (_key, inner: unknown) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

function jsonKind(value: unknown): string {
  if (value === null) return 'a JSON null';
  return Array.isArray(value) ? 'a JSON array' : `a JSON ${typeof value}`;
}
