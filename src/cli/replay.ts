import { createReadStream } from 'node:fs';
import type { SkillHashes } from '../../contracts/skill.ts';
import { type ReplayOptions, replay } from '../history/replay.ts';
import { traceLines } from '../history/trace-lines.ts';
import { ServiceError } from '../lib/errors.ts';
import { printable } from '../lib/printable.ts';
import { exitCode } from './failure.ts';
import type { CliOptions } from './settings.ts';

const STDIN = '-';

const WHAT_IS_READ = 'Write a readable trace by: tripact trace <id> --format json';

interface Agreed {
  entries: number;
  unchained?: number;
  skills_changed?: string[];
}

const agreed = ({ entries, unchained = 0, skills_changed = [] }: Agreed): string => {
  const unchainedText = unchained === entries ? 'none' : `all but the first ${unchained}`;
  const skills = skills_changed.length === 0 ? '' : `; these skills have changed since: ${skills_changed.join(', ')}`;
  return `ok ${entries} entries${unchained === 0 ? '' : `, ${unchainedText} with a chain`}${skills}`;
};

const replayFile = async (
  file: string,
  options: ReplayOptions,
): Promise<{ ok: boolean; text: string; hint?: string }> => {
  try {
    const lines = traceLines(file === STDIN ? process.stdin : createReadStream(file));
    const result = await replay(lines, options);
    return result.ok ? { ok: true, text: agreed(result) } : { ok: false, text: result.message };
  } catch (error) {
    const { code, syscall } = error as { code?: unknown; syscall?: unknown };
    if (error instanceof ServiceError) return { ok: false, text: error.message, hint: WHAT_IS_READ };
    if (code === 'ENOENT') return { ok: false, text: 'there is no such file' };
    if (typeof syscall === 'string') return { ok: false, text: 'it cannot be read' };
    throw error;
  }
};

const skillsOf = async (folder: string): Promise<SkillHashes> => {
  const { openSkills } = await import('../app/open-skills.ts');
  return (await openSkills({ skillsDir: folder }, {})).all;
};

/**
 * `tripact replay`: runs trace files through the machine and names the first difference of each (SPEC 12). With `root`,
 * each must have an entry with that chain; with `skills`, a folder, it names the skills of the trace that are others
 * there. Touches nothing else. Throws `CONFIG_INVALID` for a folder that cannot be read.
 */
export const replayFiles = async (files: string[], { root, skills: folder }: CliOptions): Promise<number> => {
  const skills = folder === undefined ? undefined : await skillsOf(folder);
  const options = { roots: root === undefined ? [] : [root], ...(skills !== undefined && { skills }) };
  let isAllOk = true;
  for (const file of files) {
    const { ok, text, hint } = await replayFile(file, options);
    isAllOk &&= ok;
    const line = printable(ok && files.length === 1 ? text : `${file === STDIN ? 'standard input' : file}: ${text}`);
    if (ok) console.log(line);
    else console.error(hint === undefined ? line : `${line}\n${hint}`);
  }
  return isAllOk ? exitCode.answered : exitCode.failed;
};
