import { z } from 'zod';
import { FILE_BYTES_MAX } from '../../../contracts/limits.ts';
import { messages } from '../../../contracts/messages/messages.ts';
import { type Language, plainLine } from '../../../contracts/text.ts';
import type { ChangeFile, CurrentFile } from '../../workspace/change-file.ts';
import { type FilePath, isHidden, parseFilePath } from '../../workspace/file-path.ts';
import { FileRefused } from '../../workspace/port.ts';
import { listFiles, openFile, readStart, textOfBytes } from '../../workspace/read-files.ts';
import {
  isToolName,
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
  type Word,
  withoutQuotes,
} from '../command-line.ts';
import type { OutsideTool, TaskToolCall } from '../port.ts';
import { formatFileList, formatFileText, placesOf } from './files-text.ts';
import { filesMessages } from './messages.ts';

/** More pages and lines than any session or file has, so that the list or the file itself says which it has. */
const NUMBER_MAX = 10_000_000;

const Place = z.number().int().min(1).max(NUMBER_MAX);
const path = z.string();

/** A request to the files tool. `page` and `line` count from 1. */
export const FilesInput = z.discriminatedUnion('command', [
  z.strictObject({ command: z.literal('list'), path: path.optional(), page: Place.default(1) }),
  z.strictObject({ command: z.literal('read'), path, line: Place.default(1) }),
  z.strictObject({ command: z.literal('write'), path, text: z.string() }),
  z.strictObject({ command: z.literal('append'), path, text: z.string() }),
  z.strictObject({ command: z.literal('replace'), path, old: z.string().min(1), new: z.string() }),
  z.strictObject({ command: z.literal('delete'), path }),
]);
export type FilesInput = z.infer<typeof FilesInput>;
export type FilesCommand = FilesInput['command'];

const pathOf = (word: Word | undefined, language: Language): string => {
  if (word === undefined || word.text === '') throw new UsageError(filesMessages(language).missingPath);
  return word.text;
};

/** `list` and `read`: a path, and where to begin. */
const readPlace = (rest: string, option: 'page' | 'line', language: Language) => {
  const given = readArguments(splitWords(rest, language), { [option]: { value: 'word' } }, language);
  const place = given.options.get(option)?.[0]?.[0];
  const [word, ...more] = given.words;
  refuseMore(more, language);
  return { word, place: place === undefined ? 1 : readInteger(place.text, `--${option}`, 1, NUMBER_MAX, language) };
};

/** Reads a command of the files tool behind its name, `rest` as it is written. Throws `UsageError`; never guesses. */
export const readFilesCommand = (command: FilesCommand, rest: string, language: Language): FilesInput => {
  const texts = filesMessages(language);
  switch (command) {
    case 'list': {
      const { word, place } = readPlace(rest, 'page', language);
      return { command, page: place, ...(word !== undefined && { path: word.text }) };
    }
    case 'read': {
      const { word, place } = readPlace(rest, 'line', language);
      return { command, path: pathOf(word, language), line: place };
    }
    case 'write':
    case 'append': {
      const first = takeWord(rest, language);
      const named = pathOf(first?.word, language);
      // Behind one space or line end stands the text as it is written.
      const text = first?.rest.replace(/^(\r?\n|\s)/, '') ?? '';
      if (text.trim() === '') throw new UsageError(texts.missingText);
      return { command, path: named, text: withoutQuotes(text) };
    }
    case 'replace': {
      const [word, old, replacement, ...more] = splitWords(rest, language);
      const named = pathOf(word, language);
      if (old === undefined || old.text === '' || replacement === undefined)
        throw new UsageError(texts.missingPassages);
      refuseMore(more, language);
      return { command, path: named, old: old.text, new: replacement.text };
    }
    case 'delete': {
      const [word, ...more] = splitWords(rest, language);
      refuseMore(more, language);
      return { command, path: pathOf(word, language) };
    }
    default:
      return command satisfies never;
  }
};

const NAME = 'files';

/** Longest path that an answer repeats, in characters. */
const SHOWN_CHARS_MAX = 200;

/** Most places of a passage that are counted, for it must be there once: one character may be there a million times. */
const PASSAGES_COUNTED_MAX = 1_000;

type Change = Extract<FilesInput, { command: 'write' | 'append' | 'replace' | 'delete' }>;

const parsePath = (text: string): FilePath => {
  const path = parseFilePath(text.replace(/^\.\//, ''));
  if (path === null || isHidden(path)) throw new FileRefused('invalid_path');
  return path;
};

/** The text of a file that is there. */
const textOf = ({ id, bytes }: CurrentFile): string => {
  if (id === null) throw new FileRefused('not_found');
  if (bytes === null) throw new FileRefused('file_too_large');
  const text = textOfBytes(bytes, false);
  if (text === null) throw new FileRefused('not_text');
  return text;
};

/** The text with one passage replaced, which must be there once. */
const replaced = (text: string, input: Extract<Change, { command: 'replace' }>, { language }: TaskToolCall): string => {
  const texts = filesMessages(language);
  const [at, ...others] = placesOf(input.old, text, PASSAGES_COUNTED_MAX);
  if (at === undefined) throw new UsageError(texts.passageNotFound(input.path));
  const count = 1 + others.length;
  if (count > 1) throw new UsageError(texts.passageNotUnique(input.path, count, count === PASSAGES_COUNTED_MAX));
  return text.slice(0, at) + input.new + text.slice(at + input.old.length);
};

/** The file after the change; the same for the same file. */
const changed = (before: CurrentFile, input: Change, call: TaskToolCall): Buffer | null => {
  switch (input.command) {
    case 'write':
      return Buffer.from(input.text);
    case 'append': {
      const text = before.id === null ? '' : textOf(before);
      // An appended text begins on a line of its own.
      return Buffer.from(`${text}${text === '' || text.endsWith('\n') ? '' : '\n'}${input.text}`);
    }
    case 'replace':
      return Buffer.from(replaced(textOf(before), input, call));
    case 'delete':
      if (before.id === null) throw new FileRefused('not_found');
      return null;
    default:
      return input satisfies never;
  }
};

const makeChange = async (input: Change, changeFile: ChangeFile, call: TaskToolCall): Promise<string> => {
  const after = await changeFile({
    root: call.workspace,
    path: parsePath(input.path),
    effect_id: call.effect_id,
    makesFolders: input.command === 'write' || input.command === 'append',
    change: (before) => changed(before, input, call),
  });
  return filesMessages(call.language).changed[input.command](input.path, after?.length ?? 0);
};

const showFile = async ({ path: text, line }: Extract<FilesInput, { command: 'read' }>, call: TaskToolCall) => {
  const opened = await openFile(call.workspace, parsePath(text));
  await using _closed = opened.handle;
  const { size } = opened.stats;
  const isCut = size > FILE_BYTES_MAX;
  const content = textOfBytes(await readStart(opened, FILE_BYTES_MAX), isCut);
  if (content === null) throw new FileRefused('not_text');
  return formatFileText({ path: text, text: content, size, isCut }, line, call.language);
};

const perform = async (input: FilesInput, changeFile: ChangeFile, call: TaskToolCall): Promise<string> => {
  switch (input.command) {
    case 'list': {
      const below = input.path === undefined || input.path === '.' ? [] : parsePath(input.path.replace(/\/$/, ''));
      return formatFileList(await listFiles(call.workspace, below), input.page, call);
    }
    case 'read':
      return showFile(input, call);
    case 'write':
    case 'append':
    case 'replace':
    case 'delete':
      return makeChange(input, changeFile, call);
    default:
      return input satisfies never;
  }
};

const help = (language: Language) => {
  const { summary, usage, usageNotes } = filesMessages(language);
  return { summary, usage: [...Object.values(usage), usageNotes].join('\n') };
};

/**
 * Makes the `files` tool (SPEC 8): text files in the session's folder and in no other place. A change is made once, however often its
 * call is repeated under one `effect_id`. What is refused is a failed result that says why; it never throws for bad input.
 */
export const createFilesTool = (changeFile: ChangeFile): OutsideTool => {
  return {
    name: NAME,
    ...toolTexts(help),
    isCommand: true,
    effect: 'idempotent',
    writes: true,
    async run(input, call) {
      const { usage } = filesMessages(call.language);
      let shown = Object.values(usage).join('\n');
      let path = '';
      const read = (): FilesInput => {
        const first = takeWord(input, call.language);
        const isNamed = first !== null && isToolName(first.word, NAME);
        const rest = isNamed ? first.rest : input;
        if (rest.trimStart().startsWith('{')) return readJson(FilesInput, rest, call.language);
        const command = takeWord(rest, call.language);
        const name = subcommandOf<FilesCommand>(command?.word, NAME, usage, call.language);
        shown = usage[name];
        return readFilesCommand(name, command?.rest ?? '', call.language);
      };
      try {
        const asked = read();
        path = plainLine(asked.path ?? '', SHOWN_CHARS_MAX);
        return { ok: true, result: await perform(asked, changeFile, call) };
      } catch (error) {
        if (error instanceof UsageError) return usageFailure(error, shown, call.language);
        if (error instanceof FileRefused)
          return { ok: false, result: messages(call.language).fileRefusals[error.problem](path, FILE_BYTES_MAX) };
        throw error;
      }
    },
  };
};
