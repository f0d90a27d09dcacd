import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { cutText, type Language } from '../../../contracts/text.ts';
import { formatTime, type Locale } from '../../when/format-when.ts';
import type { ListedFile } from '../../workspace/port.ts';
import { filesMessages } from './messages.ts';

/** Files on one page of a list: what a person overlooks, and a prompt has room for. */
const FILES_PER_PAGE = 50;

/** Longest part of a file that is shown at once, in characters: with its note it stays below the longest observation. */
const READ_CHARS_MAX = 8_000;

/** One page of a list of files, pages counted from 1. `isWhole`: false where there are more than were looked at. */
export const formatFileList = (files: ListedFile[], isWhole: boolean, page: number, locale: Locale): string => {
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

/** The lines of a file from one on, as many as fit whole, one at least; notes say what is left out. `size`: the file's own, in bytes. */
export const formatFileText = (path: string, text: string, size: number, from: number, language: Language): string => {
  const texts = filesMessages(language);
  if (text === '') return texts.empty(path);
  const beginning = size > FILE_BYTES_MAX ? [texts.onlyBeginning(path, size)] : [];
  // A text that ends with a line end has no further line.
  const lines = text.replace(/\n$/, '').split('\n');
  const first = lines[from - 1];
  if (first === undefined) return [texts.noSuchLine(path, from, lines.length), ...beginning].join('\n');
  let to = from;
  let chars = first.length;
  for (; to < lines.length && chars + lines[to]!.length < READ_CHARS_MAX; to += 1) chars += lines[to]!.length + 1;
  const isAll = from === 1 && to === lines.length;
  return [
    cutText(lines.slice(from - 1, to).join('\n'), READ_CHARS_MAX),
    ...(isAll ? [] : [texts.part(path, from, to, lines.length)]),
    ...(to < lines.length ? [texts.nextLine(path, to + 1)] : []),
    ...beginning,
  ].join('\n');
};
