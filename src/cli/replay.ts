import { createReadStream } from 'node:fs';
import { parseNdjson } from '../history/parse-ndjson.ts';
import { replay } from '../history/replay.ts';
import { ServiceError } from '../lib/errors.ts';
import { printable } from '../lib/printable.ts';
import { exitCode } from './failure.ts';

const STDIN = '-';

const WHAT_IS_READ = 'Write a readable trace by: tripact trace <id> --format json';

const replayFile = async (file: string): Promise<{ ok: boolean; text: string; hint?: string }> => {
  try {
    const result = await replay(parseNdjson(file === STDIN ? process.stdin : createReadStream(file)));
    return result.ok ? { ok: true, text: `ok ${result.entries} entries` } : { ok: false, text: result.message };
  } catch (error) {
    const { code, syscall } = error as { code?: unknown; syscall?: unknown };
    if (error instanceof ServiceError) return { ok: false, text: error.message, hint: WHAT_IS_READ };
    if (code === 'ENOENT') return { ok: false, text: 'there is no such file' };
    if (typeof syscall === 'string') return { ok: false, text: 'it cannot be read' };
    throw error;
  }
};

/**
 * `tripact replay`: runs trace files through the machine and names the first difference of each (SPEC 12). Touches
 * nothing else.
 */
export const replayFiles = async (files: string[]): Promise<number> => {
  let isAllOk = true;
  for (const file of files) {
    const { ok, text, hint } = await replayFile(file);
    isAllOk &&= ok;
    const line = printable(ok && files.length === 1 ? text : `${file === STDIN ? 'standard input' : file}: ${text}`);
    if (ok) console.log(line);
    else console.error(hint === undefined ? line : `${line}\n${hint}`);
  }
  return isAllOk ? exitCode.answered : exitCode.failed;
};
