import { createReadStream } from 'node:fs';
import { z } from 'zod';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { cutText, type Language, plainLine } from '../../../contracts/text.ts';
import { formatTime, type Locale } from '../../when/format-when.ts';
import type { ChangeFile, CurrentFile } from '../../workspace/change-file.ts';
import { type FilePath, isHidden, parseFilePath } from '../../workspace/file-path.ts';
import { FileRefused, findFile, type ListedFile, listFiles, textOfBytes } from '../../workspace/read-files.ts';
import { readText } from '../../workspace/text-encoding.ts';
import {
  afterName,
  checkedInput,
  readArguments,
  readInteger,
  readJson,
  refuseMore,
  splitWords,
  subcommandOf,
  takeWord,
  toolTexts,
  UsageError,
  usageFailure,
  withoutQuotes,
} from '../command-line.ts';
import type { OutsideTool, TaskToolCall } from '../port.ts';
import { filesMessages } from './messages.ts';

/** Larger than any number of pages or lines, so that the list or file itself reports its size. */
const NUMBER_MAX = 10_000_000;

const Place = z.number().int().min(1).max(NUMBER_MAX);
const path = z.string();

/** A request to the files tool. `page` and `line` count from 1. */
const FilesInput = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('list'), path: path.optional(), page: Place.default(1) }),
  z.strictObject({ command: z.literal('read'), path, line: Place.default(1) }),
  z.strictObject({ command: z.literal('write'), path, text: z.string() }),
  z.strictObject({ command: z.literal('append'), path, text: z.string() }),
  z.strictObject({ command: z.literal('replace'), path, old: z.string().min(1), new: z.string() }),
  z.strictObject({ command: z.literal('delete'), path }),
]);
type FilesInput = z.infer<typeof FilesInput>;
type Change = Extract<FilesInput, { command: 'write' | 'append' | 'replace' | 'delete' }>;

/** Parses a command; `rest` is the text after its name, verbatim. Throws `UsageError`; never guesses. */
const readLine = (command: FilesInput['command'], rest: string, language: Language): FilesInput => {
  if (command === 'write' || command === 'append') {
    const first = takeWord(rest, language);
    // After one space or line end, the text is verbatim.
    const written = first.rest.replace(/^(\r?\n|\s)/, '');
    const text = written.trim() === '' ? undefined : withoutQuotes(written);
    return checkedInput(FilesInput, { command, path: first.word?.text, text }, language);
  }
  if (command === 'list' || command === 'read') {
    const option = command === 'list' ? 'page' : 'line';
    const { words, options } = readArguments(splitWords(rest, language), { [option]: { value: 'word' } }, language);
    const place = options.get(option)?.[0]?.[0];
    refuseMore(words.slice(1), language);
    const at = place && { [option]: readInteger(place.text, `--${option}`, 1, NUMBER_MAX, language) };
    return checkedInput(FilesInput, { command, path: words[0]?.text, ...at }, language);
  }
  const words = splitWords(rest, language);
  refuseMore(words.slice(command === 'replace' ? 3 : 1), language);
  const [named, old, replacement] = words.map(({ text }) => text);
  const more = command === 'replace' && { old, new: replacement };
  return checkedInput(FilesInput, { command, path: named, ...more }, language);
};

const SHOWN_CHARS_MAX = 200;

const parsePath = (text: string): FilePath => {
  const path = parseFilePath(text.replace(/^\.\//, ''));
  if (path === null || isHidden(path)) throw new FileRefused('invalid_path');
  return path;
};

const textOf = ({ size, bytes }: CurrentFile): string => {
  if (size === null) throw new FileRefused('not_found');
  if (bytes === null) throw new FileRefused('file_too_large');
  const text = textOfBytes(bytes, false);
  if (text === null) throw new FileRefused('not_text');
  return text;
};

/** The file after the change. Applying the same change to the same file gives the same result. */
const changed = (before: CurrentFile, input: Change, language: Language): Buffer | null => {
  switch (input.command) {
    case 'write':
      return Buffer.from(input.text);
    case 'append': {
      const text = before.size === null ? '' : textOf(before);
      // Appended text begins on a new line.
      return Buffer.from(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${input.text}`);
    }
    case 'replace': {
      const text = textOf(before);
      const at = text.indexOf(input.old);
      if (at === -1) throw new UsageError(filesMessages(language).passageNotFound(input.path));
      if (text.lastIndexOf(input.old) !== at)
        throw new UsageError(filesMessages(language).passageNotUnique(input.path));
      return Buffer.from(text.slice(0, at) + input.new + text.slice(at + input.old.length));
    }
    case 'delete':
      if (before.size === null) throw new FileRefused('not_found');
      return null;
    default:
      return input satisfies never;
  }
};

/** Files on one page of a list: what a person takes in and a prompt has room for. */
const FILES_PER_PAGE = 50;

/**
 * Longest part of a file that is shown at once, in characters. With its note it stays below the longest observation.
 */
const READ_CHARS_MAX = 8_000;

/** One page of a list of files, counted from 1. `isWhole`: false if there are more files than were examined. */
const formatFileList = (files: ListedFile[], isWhole: boolean, page: number, locale: Locale): string => {
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

/**
 * The lines of a file from a given one on, as many complete ones as fit, at least one; notes say what is left out.
 * `size`: the file's size in bytes.
 */
const formatFileText = (path: string, text: string, size: number, from: number, language: Language): string => {
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

const perform = async (input: FilesInput, changeFile: ChangeFile, call: TaskToolCall): Promise<string> => {
  const { workspace: root, effect_id, language } = call;
  if (input.command === 'list') {
    const { files, isWhole } = await listFiles(root);
    const folder = input.path?.replace(/\/$/, '') ?? '.';
    const below = folder === '.' ? '' : `${parsePath(folder).join('/')}/`;
    return formatFileList(
      files.filter(({ path }) => path.startsWith(below)),
      isWhole,
      input.page,
      call,
    );
  }
  const path = parsePath(input.path);
  if (input.command === 'read') {
    const { file, size } = findFile(root, path);
    if (size === null) throw new FileRefused('not_found');
    const beginning = () => createReadStream(file, { end: FILE_BYTES_MAX - 1 });
    const read = await readText(beginning, { from: 0, chars: FILE_BYTES_MAX, isCut: size > FILE_BYTES_MAX });
    if (read === null) throw new FileRefused('not_text');
    return formatFileText(input.path, read.text, size, input.line, language);
  }
  const after = await changeFile({ root, path, effect_id, change: (before) => changed(before, input, language) });
  return filesMessages(language).changed[input.command](input.path, after?.length ?? 0);
};

/** The request in an input and the usage to show with a mistake in it, or the refusal of an invalid input. */
const readInput = (input: string, language: Language): { asked: FilesInput; shown: string } | { refusal: string } => {
  const { usage } = filesMessages(language);
  let shown = Object.values(usage).join('\n');
  try {
    const rest = afterName(input, 'files');
    if (rest.trimStart().startsWith('{')) return { asked: readJson(FilesInput, rest, language), shown };
    const first = takeWord(rest, language);
    const command = subcommandOf(first.word, 'files', usage, language);
    shown = usage[command];
    return { asked: readLine(command, first.rest, language), shown };
  } catch (error) {
    return { refusal: usageFailure(error, shown, language).result };
  }
};

/**
 * Creates the `files` tool (SPEC 8): text files, only in the session's folder. A change is made once under one
 * `effect_id`. Never throws.
 */
export const createFilesTool = (changeFile: ChangeFile): OutsideTool => ({
  name: 'files',
  ...toolTexts((language) => {
    const { summary, usage, usageNotes } = filesMessages(language);
    return { summary, usage: [...Object.values(usage), usageNotes].join('\n') };
  }),
  isCommand: true,
  effect: 'idempotent',
  writes: true,
  async checkInput(input, language) {
    const read = readInput(input, language);
    return 'refusal' in read ? read.refusal : null;
  },
  async run(input, call) {
    const { language } = call;
    const read = readInput(input, language);
    if ('refusal' in read) return { ok: false, result: read.refusal };
    const { asked, shown } = read;
    try {
      return { ok: true, result: await perform(asked, changeFile, call) };
    } catch (error) {
      const path = plainLine(asked.path ?? '', SHOWN_CHARS_MAX);
      if (error instanceof FileRefused)
        return { ok: false, result: messages(language).fileRefusals[error.problem](path, FILE_BYTES_MAX) };
      return usageFailure(error, shown, language);
    }
  },
});
