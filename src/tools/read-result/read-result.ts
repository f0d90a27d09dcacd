import { z } from 'zod';
import { plainLine } from '../../../contracts/text.ts';
import { readKeptResult } from '../../workspace/kept-results.ts';
import { FileRefused } from '../../workspace/read-files.ts';
import { defineTool } from '../define-tool.ts';
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

/** The tool `read_result` (SPEC 7): reads more of a task's own long result. Changes nothing. */
export const readResultTool: OutsideTool = {
  ...defineTool({
    name: 'read_result',
    description: readResultMessages('en').summary,
    input: z.object({
      // Models also write it as a number.
      id: z.coerce.string().describe('The number of its action.'),
      from: z.int().min(0).default(0),
    }),
    effect: 'idempotent',
    writes: false,
    run: ({ id, from }, { workspace, task_id, language }) => {
      const texts = readResultMessages(language);
      const shown = plainLine(id, ID_CHARS_SHOWN);
      const text = kept(workspace, task_id, id);
      if (text === null) return { ok: false, result: texts.missing(shown) };
      if (from >= text.length) return { ok: false, result: texts.noSuchPlace(shown, text.length) };
      const part = text.slice(from, from + READ_CHARS).toWellFormed();
      const end = from + part.length;
      const place = [texts.part(from, end - 1, text.length), ...(end < text.length ? [texts.next(end)] : [])];
      return { ok: true, result: `${part}\n${place.join('\n')}` };
    },
  }),
  isAlways: true,
};
