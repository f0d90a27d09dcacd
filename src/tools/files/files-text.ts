import type { Language } from '../../../contracts/language.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { cutText } from '../../../machines/cut-text.ts';
import { formatTime, type Locale } from '../../when/format-when.ts';
import type { FileList } from '../../workspace/list-files.ts';

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

/** The lines of a file from one on, as many as fit whole; a note says what is left out. */
export const formatFileText = ({ path, text, size, isCut }: FileText, from: number, language: Language): string => {
  const texts = messages(language).files;
  const beginning = isCut ? [texts.onlyBeginning(path, size)] : [];
  if (text === '') return texts.empty(path);
  const lines = text.split('\n');
  // What ends with a line end has no further line.
  if (lines.at(-1) === '') lines.pop();
  if (from > lines.length) return [texts.noSuchLine(path, from, lines.length), ...beginning].join('\n');
  let to = from - 1;
  let chars = 0;
  while (to < lines.length && chars + lines[to]!.length + 1 <= READ_CHARS_MAX) {
    chars += lines[to]!.length + 1;
    to += 1;
  }
  if (to < from) {
    const line = lines[from - 1]!;
    const notes = [texts.lineCut(from, line.length), ...(from < lines.length ? [texts.nextLine(path, from + 1)] : [])];
    return [cutText(line, READ_CHARS_MAX), ...notes, ...beginning].join('\n');
  }
  const shown = lines.slice(from - 1, to).join('\n');
  if (from === 1 && to === lines.length) return [shown, ...beginning].join('\n');
  const part = texts.part(path, from, to, lines.length);
  return [shown, part, ...(to < lines.length ? [texts.nextLine(path, to + 1)] : []), ...beginning].join('\n');
};
