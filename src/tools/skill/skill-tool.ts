import { posix } from 'node:path';
import { z } from 'zod';
import { plainLine } from '../../../contracts/text.ts';
import { defineTool } from '../define-tool.ts';
import type { OutsideTool } from '../port.ts';
import { skillMessages } from './messages.ts';
import { SKILL_FILE, SKILL_FILE_BYTES_MAX, type Skill } from './read-skills.ts';

/** The tool's name. It exists where there are skills. */
export const SKILL_TOOL = 'skill';

/** Longest name or path that a failure repeats, in characters. */
const NAME_CHARS_SHOWN = 100;

/** Files of a skill that are named below its text. */
const FILES_SHOWN = 100;

const shown = (files: Iterable<string>): string[] => [...files].slice(0, FILES_SHOWN);

/**
 * The tool `skill` (SPEC 8): the text of a skill, or of a file of it, as it was read at the start. Touches no file
 * system, so no path leads out of a skill.
 */
export const createSkillTool = (skills: readonly Skill[]): OutsideTool => {
  const texts = skillMessages('en');
  const byName = new Map(skills.map((skill) => [skill.name, skill]));
  return defineTool({
    name: SKILL_TOOL,
    description: texts.summary,
    input: z.object({
      skill: z.string().describe(`${texts.skill} One of: ${[...byName.keys()].join(', ')}`),
      file: z.string().optional().describe(texts.file),
    }),
    effect: 'idempotent',
    writes: false,
    run: ({ skill: name, file }, { language }) => {
      const { unknown, noFile, notText, files } = skillMessages(language);
      const skill = byName.get(name);
      if (skill === undefined)
        return { ok: false, result: unknown(plainLine(name, NAME_CHARS_SHOWN), [...byName.keys()]) };
      const path = file === undefined || file === '' ? SKILL_FILE : posix.normalize(file);
      if (path === SKILL_FILE) {
        const names = shown(skill.files.keys());
        return { ok: true, result: names.length === 0 ? skill.text : `${skill.text}\n\n${files(names)}` };
      }
      const text = skill.files.get(path);
      if (text === undefined)
        return { ok: false, result: noFile(name, plainLine(path, NAME_CHARS_SHOWN), shown(skill.files.keys())) };
      if (text === null) return { ok: false, result: notText(name, path, SKILL_FILE_BYTES_MAX) };
      return { ok: true, result: text };
    },
  });
};
