import { createReadStream } from 'node:fs';
import { parseNdjson } from '../history/parse-ndjson.ts';
import { replay } from '../history/replay.ts';
import { ServiceError } from '../lib/errors.ts';
import { printable } from '../lib/printable.ts';
import { exitCode } from './failure.ts';
import type { CliOptions } from './settings.ts';

const STDIN = '-';

const WHAT_IS_READ = 'Write a readable trace by: tripact trace <id> --format json';

const agreed = ({ entries, unchained = 0 }: { entries: number; unchained?: number }): string => {
  if (unchained === 0) return `ok ${entries} entries`;
  return `ok ${entries} entries, ${unchained === entries ? 'none' : `all but the first ${unchained}`} with a chain`;
};

const replayFile = async (file: string, roots: string[]): Promise<{ ok: boolean; text: string; hint?: string }> => {
  try {
    const lines = parseNdjson(file === STDIN ? process.stdin : createReadStream(file));
    const result = await replay(lines, { roots });
    return result.ok ? { ok: true, text: agreed(result) } : { ok: false, text: result.message };
  } catch (error) {
    const { code, syscall } = error as { code?: unknown; syscall?: unknown };
    if (error instanceof ServiceError) return { ok: false, text: error.message, hint: WHAT_IS_READ };
    if (code === 'ENOENT') return { ok: false, text: 'there is no such file' };
    if (typeof syscall === 'string') return { ok: false, text: 'it cannot be read' };
    throw error;
  }
};

/**
 * `tripact replay`: runs trace files through the machine and names the first difference of each (SPEC 12). With `root`,
 * each must have an entry with that chain. Touches nothing else.
 */
export const replayFiles = async (files: string[], { root }: CliOptions): Promise<number> => {
  const roots = root === undefined ? [] : [root];
  let isAllOk = true;
  for (const file of files) {
    const { ok, text, hint } = await replayFile(file, roots);
    isAllOk &&= ok;
    const line = printable(ok && files.length === 1 ? text : `${file === STDIN ? 'standard input' : file}: ${text}`);
    if (ok) console.log(line);
    else console.error(hint === undefined ? line : `${line}\n${hint}`);
  }
  return isAllOk ? exitCode.answered : exitCode.failed;
};
