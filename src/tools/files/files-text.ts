import { cutText, type Language } from '../../../contracts/text.ts';
import { formatTime, type Locale } from '../../when/format-when.ts';
import type { FileList } from '../../workspace/read-files.ts';
import { filesMessages } from './messages.ts';

/** Files on one page of a list: what a person overlooks, and a prompt has room for. */
const FILES_PER_PAGE = 50;

/** Longest part of a file that is shown at once, in characters: with its note it stays below the longest observation. */
const READ_CHARS_MAX = 8_000;

/** One page of a list of files, pages counted from 1. */
export const formatFileList = ({ files, isWhole }: FileList, page: number, locale: Locale): string => {
  const texts = filesMessages(locale.language);
  if (files.length === 0) return texts.emptyList;
  const pages = Math.ceil(files.length / FILES_PER_PAGE);
  if (page > pages) return texts.noSuchPage(page, pages);
  const shown = files.slice((page - 1) * FILES_PER_PAGE, page * FILES_PER_PAGE);
  const bytes = files.reduce((sum, { size }) => sum + size, 0);
  return [
    texts.list(files.length, bytes),
    ...shown.map(({ path, size, modified_at }) => texts.line(path, size, formatTime(modified_at, locale))),
    ...(page < pages ? [texts.nextPage(page, pages)] : []),
    ...(isWhole ? [] : [texts.notAllSeen]),
  ].join('\n');
};

/** A file's text, and how much of the file that is: `size` is the file's own, in bytes. */
export interface FileText {
  path: string;
  text: string;
  size: number;
  isCut: boolean;
}

/** The lines of a file from one on, as many as fit whole; a note says what is left out. */
export const formatFileText = ({ path, text, size, isCut }: FileText, from: number, language: Language): string => {
  const texts = filesMessages(language);
  if (text === '') return texts.empty(path);
  const beginning = isCut ? [texts.onlyBeginning(path, size)] : [];
  // A text that ends with a line end has no further line.
  const lines = text.replace(/\n$/, '').split('\n');
  const next = (line: number): string[] => (line > lines.length ? [] : [texts.nextLine(path, line)]);
  const first = lines[from - 1];
  if (first === undefined) return [texts.noSuchLine(path, from, lines.length), ...beginning].join('\n');
  if (first.length >= READ_CHARS_MAX)
    return [cutText(first, READ_CHARS_MAX), texts.lineCut(from, first.length), ...next(from + 1), ...beginning].join(
      '\n',
    );
  let to = from;
  let chars = first.length + 1;
  for (; to < lines.length && chars + lines[to]!.length < READ_CHARS_MAX; to += 1) chars += lines[to]!.length + 1;
  const shown = lines.slice(from - 1, to).join('\n');
  const isAll = from === 1 && to === lines.length;
  return [shown, ...(isAll ? [] : [texts.part(path, from, to, lines.length), ...next(to + 1)]), ...beginning].join(
    '\n',
  );
};

/**
 * The first places at which a passage is in a text, one behind the other, `max` of them at most. It takes as long as both are (Knuth, Morris
 * and Pratt): `indexOf` takes the product of their lengths where a passage nearly repeats itself, which is seconds for a file.
 */
export const placesOf = (passage: string, text: string, max: number): number[] => {
  const places: number[] = [];
  /** How much of the passage's beginning is also what it ends with, up to each of its characters. */
  const again = new Int32Array(passage.length);
  for (let at = 1, same = 0; at < passage.length; at += 1) {
    const unit = passage.charCodeAt(at);
    while (same > 0 && unit !== passage.charCodeAt(same)) same = again[same - 1]!;
    if (unit === passage.charCodeAt(same)) same += 1;
    again[at] = same;
  }
  for (let at = 0, same = 0; at < text.length && places.length < max; at += 1) {
    const unit = text.charCodeAt(at);
    while (same > 0 && unit !== passage.charCodeAt(same)) same = again[same - 1]!;
    if (unit === passage.charCodeAt(same)) same += 1;
    if (same < passage.length) continue;
    places.push(at - same + 1);
    same = 0;
  }
  return places;
};
