import { isDeepStrictEqual } from 'node:util';
import type { Reader } from '../../../contracts/event.ts';
import type { JsonKind } from '../../../contracts/messages/en/model-reply.ts';
import { decodeObject } from './encoded-object.ts';
import { isRecord } from './known-keys.ts';
import { REPLY_CHARS_MAX } from './limits.ts';
import { plainObject } from './plain-object.ts';
import { type Reason, unreadable } from './reason.ts';
import { type FoundValue, type Scan, scanReply } from './scan-reply.ts';

/** The readers that find an object, best first. */
const OBJECT_READERS = ['strict', 'fenced', 'embedded', 'repaired'] as const satisfies Reader[];
export type ObjectReader = (typeof OBJECT_READERS)[number];

/** What a model's text contains: its objects and lists, those that equal the first left out, and its text without reasoning; or why none of it may be read. */
export type FoundObjects =
  | { kind: 'read'; objects: { value: unknown; reader: ObjectReader }[]; prose: string }
  | { kind: 'refused'; reason: Reason };

/** Longest text without an object that is looked at for other JSON, to name it in the reason. */
const OTHER_JSON_CHARS_MAX = 10_000;

const HTML_PAGE = /^<(?:!doctype|html|\?xml)/i;

/**
 * Finds the objects in a model's text (SPEC 5, Reading an answer); those that equal the first count as one with it. Never completes an object, never
 * throws, and never quotes the text in a reason.
 */
export const findObjects = (reply: string): FoundObjects => {
  if (reply.length > REPLY_CHARS_MAX) return refused(({ modelReply }) => modelReply.tooLong(REPLY_CHARS_MAX));
  const text = reply.trim();
  if (text === '') return refused(({ modelReply }) => modelReply.empty);
  if (HTML_PAGE.test(text)) return refused(({ modelReply }) => modelReply.webPage);
  const plain = plainObject(text);
  if (plain !== null) return { kind: 'read', prose: text, objects: [{ value: plain, reader: 'strict' }] };
  const scan = scanReply(text);
  switch (scan.kind) {
    case 'refused':
      return scan;
    case 'encoded':
      return findDecoded(text, scan);
    case 'values':
      if (scan.prose === '') return refused(({ modelReply }) => modelReply.onlyThinking);
      if (scan.values.length === 0) return withoutObjects(text, scan.prose);
      return { kind: 'read', prose: scan.prose, objects: differing(scan.values, (found) => readerOf(text, found)) };
    default:
      return scan satisfies never;
  }
};

const findDecoded = (text: string, { at, by }: Extract<Scan, { kind: 'encoded' }>): FoundObjects => {
  const decoded = decodeObject(text, at, by);
  const scan = decoded === null ? null : scanReply(decoded);
  if (scan === null || scan.kind === 'encoded') return refused(unreadable(({ escapedQuotes }) => escapedQuotes));
  if (scan.kind === 'refused') return scan;
  if (scan.prose === '') return refused(({ modelReply }) => modelReply.onlyThinking);
  return { kind: 'read', prose: scan.prose, objects: differing(scan.values, () => 'repaired') };
};

const withoutObjects = (text: string, prose: string): FoundObjects => {
  const other = text.length > OTHER_JSON_CHARS_MAX ? null : tryParse(text);
  if (other === null) return { kind: 'read', objects: [], prose };
  return refused(({ modelReply }) => modelReply.notAnObject(jsonKind(other.value)));
};

const differing = (
  values: FoundValue[],
  readerFor: (found: FoundValue) => ObjectReader,
): { value: unknown; reader: ObjectReader }[] => {
  const objects: { value: unknown; reader: ObjectReader }[] = [];
  for (const found of values) {
    const reader = readerFor(found);
    const [first] = objects;
    // Compared with the first alone: two that differ are ambiguous, whatever the others are, and comparing takes as long as they have values.
    if (first === undefined || !isDeepStrictEqual(first.value, found.value))
      objects.push({ value: found.value, reader });
    else if (OBJECT_READERS.indexOf(reader) < OBJECT_READERS.indexOf(first.reader)) first.reader = reader;
  }
  return objects;
};

const readerOf = (text: string, { start, end, isFenced, hasClosersTooMany }: FoundValue): ObjectReader => {
  if (hasClosersTooMany || tryParse(text.slice(start, end)) === null) return 'repaired';
  if (end - start === text.length) return 'strict';
  return isFenced ? 'fenced' : 'embedded';
};

/** The value that the text is as JSON, in an object of its own since it may be null; null when it is none. */
const tryParse = (text: string): { value: unknown } | null => {
  try {
    return { value: JSON.parse(text) };
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

const refused = (reason: Reason): { kind: 'refused'; reason: Reason } => ({ kind: 'refused', reason });
