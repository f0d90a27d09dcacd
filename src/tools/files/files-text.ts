import { messages } from '../../../contracts/messages/messages.ts';
import { cutText, type Language } from '../../../contracts/text.ts';
import { formatTime, type Locale } from '../../when/format-when.ts';
import type { FileList } from '../../workspace/read-files.ts';

/** Files on one page of a list: what a person overlooks, and a prompt has room for. */
const FILES_PER_PAGE = 50;

/** Longest part of a file that is shown at once, in characters: with its note it stays below the longest observation. */
export const READ_CHARS_MAX = 8_000;

/** One page of a list of files, pages counted from 1. */
export const formatFileList = ({ files, isWhole }: FileList, page: number, locale: Locale): string => {
  const texts = messages(locale.language).files;
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

/** A file's text, and how much of the file that is. */
export interface FileText {
  path: string;
  text: string;
  /** The file's own size, in bytes, of which `text` may be the beginning. */
  size: number;
  isCut: boolean;
}

const LINE_FEED = 10;

/** Where the line ends that has this place in it. */
const lineEnd = (text: string, at: number): number => {
  const end = text.indexOf('\n', at);
  return end === -1 ? text.length : end;
};

/** How many lines a text has, and where one of them begins; what ends with a line end has no further line. Makes no list of them, for there may be a million. */
const findLine = (text: string, line: number): { count: number; start: number } => {
  let count = 1;
  let start = 0;
  for (let at = 0; at < text.length - 1; at += 1) {
    if (text.charCodeAt(at) !== LINE_FEED) continue;
    count += 1;
    if (count === line) start = at + 1;
  }
  return { count, start };
};

/** The lines of a file from one on, as many as fit whole; a note says what is left out. */
export const formatFileText = ({ path, text, size, isCut }: FileText, from: number, language: Language): string => {
  const texts = messages(language).files;
  const beginning = isCut ? [texts.onlyBeginning(path, size)] : [];
  if (text === '') return texts.empty(path);
  const { count, start } = findLine(text, from);
  if (from > count) return [texts.noSuchLine(path, from, count), ...beginning].join('\n');
  let to = from - 1;
  let end = start;
  for (let next = lineEnd(text, end); to < count && next + 1 - start <= READ_CHARS_MAX; next = lineEnd(text, end)) {
    end = next + 1;
    to += 1;
  }
  if (to < from) {
    const line = text.slice(start, lineEnd(text, start));
    const notes = [texts.lineCut(from, line.length), ...(from < count ? [texts.nextLine(path, from + 1)] : [])];
    return [cutText(line, READ_CHARS_MAX), ...notes, ...beginning].join('\n');
  }
  const shown = text.slice(start, end - 1);
  if (from === 1 && to === count) return [shown, ...beginning].join('\n');
  const part = texts.part(path, from, to, count);
  return [shown, part, ...(to < count ? [texts.nextLine(path, to + 1)] : []), ...beginning].join('\n');
};
