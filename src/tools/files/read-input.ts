import { z } from 'zod';
import { messages } from '../../../contracts/messages/messages.ts';
import type { Language } from '../../../contracts/text.ts';
import {
  readArguments,
  readInteger,
  refuseMore,
  splitWords,
  takeWord,
  UsageError,
  type Word,
  withoutQuotes,
} from '../command-line.ts';

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
  if (word === undefined || word.text === '') throw new UsageError(messages(language).files.missingPath);
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
  const texts = messages(language).files;
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
