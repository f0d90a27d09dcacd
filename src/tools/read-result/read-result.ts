import { z } from 'zod';
import { FILE_PATH_CHARS_MAX } from '../../../contracts/limits.ts';
import { firstChars, type Language, plainLine } from '../../../contracts/text.ts';
import { readKeptResult } from '../../workspace/kept-results.ts';
import type { StoredFiles } from '../../workspace/port.ts';
import { FileRefused } from '../../workspace/read-files.ts';
import type { ReadText } from '../../workspace/text-encoding.ts';
import { type DefinedToolCall, defineTool } from '../define-tool.ts';
import type { OutsideTool } from '../port.ts';
import { readResultMessages } from './messages.ts';

/** Characters that one call reads. With their position note they stay below the longest observation. */
const READ_CHARS = 9_500;

/** Longest action number that a failure repeats, in characters. */
const ID_CHARS_SHOWN = 20;

const kept = (root: string, taskId: string, id: string): string | null => {
  try {
    return readKeptResult(root, taskId, id);
  } catch (error) {
    if (error instanceof FileRefused) return null;
    throw error;
  }
};

/** The text that was read, and where it stands; `of`: in how many characters, if that is known. */
const formatPart = ({ text, hasMore }: ReadText, from: number, of: number | null, language: Language): string => {
  const texts = readResultMessages(language);
  const end = from + text.length;
  const place = of === null ? texts.partOfFile(from, end - 1) : texts.part(from, end - 1, of);
  return [text, place, ...(hasMore ? [texts.next(end)] : [])].join('\n');
};

/** A part of a result of the task. */
const readOfResult = (id: string, from: number, { workspace, task_id, language }: DefinedToolCall) => {
  const texts = readResultMessages(language);
  const shown = plainLine(id, ID_CHARS_SHOWN);
  const whole = kept(workspace, task_id, id);
  if (whole === null) return { ok: false, result: texts.missing(shown) };
  if (from >= whole.length) return { ok: false, result: texts.noSuchPlace(shown, whole.length) };
  const text = firstChars(whole.slice(from), READ_CHARS).toWellFormed();
  const part = { text, hasMore: from + text.length < whole.length };
  return { ok: true, result: formatPart(part, from, whole.length, language) };
};

/**
 * Creates the tool `read_result` (SPEC 7): reads more of a task's own long result, or of the text of a file that the task
 * names. Changes nothing.
 */
export const createReadResultTool = (textOf: StoredFiles['textOf']): OutsideTool => ({
  ...defineTool({
    name: 'read_result',
    description: readResultMessages('en').summary,
    input: z.object({
      // Models also write it as a number.
      id: z.coerce.string().describe('The number of its action, or the path where the file is stored.'),
      from: z.int().min(0).default(0),
    }),
    effect: 'idempotent',
    writes: false,
    run: async ({ id, from }, call) => {
      const file = call.files.findLast(({ path }) => path === id);
      if (file === undefined) return readOfResult(id, from, call);
      const texts = readResultMessages(call.language);
      const shown = plainLine(id, FILE_PATH_CHARS_MAX);
      const part = await textOf(call, file, { from, chars: READ_CHARS });
      if (part === null) return { ok: false, result: texts.noText(shown) };
      if (part.text === '') return { ok: false, result: texts.endsBefore(shown, from) };
      return { ok: true, result: formatPart(part, from, null, call.language) };
    },
  }),
  isAlways: true,
});
