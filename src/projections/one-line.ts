import { stripVTControlCharacters } from 'node:util';

/** What could move, hide or reorder text on a terminal or a page: controls, line ends, direction marks. */
const UNSEEN = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200B\u200E\u200F\u202A-\u202E\u2060-\u2069\uFEFF]+/gu;

/** Characters read for each one shown: controls and spaces shrink, and the rest of a long text is never looked at. */
const READ_PER_SHOWN = 8;

/**
 * Any text as one plain line of at most `max` characters, for people to read. Never lets an escape sequence, a control
 * character or a line end through, and never cuts a surrogate pair in two.
 */
export const oneLine = (text: string, max: number): string => {
  const read = text.slice(0, max * READ_PER_SHOWN);
  const plain = stripVTControlCharacters(read).replace(UNSEEN, ' ').replace(/\s+/g, ' ').trim().toWellFormed();
  if (plain.length <= max && read.length === text.length) return plain;
  const head = plain.slice(0, max - 1).trimEnd();
  return `${head.isWellFormed() ? head : head.slice(0, -1)}…`;
};
