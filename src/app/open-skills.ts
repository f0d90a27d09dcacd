import { resolve } from 'node:path';
import type { SkillHashes } from '../../contracts/skill.ts';
import type { Catalogue } from '../../contracts/task.ts';
import { type Config, invalidConfig } from '../config/config.ts';
import { readSkills, type Skill } from '../tools/skill/read-skills.ts';
import { createSkillTool, SKILL_TOOL } from '../tools/skill/skill-tool.ts';
import { CONFIG_FILE } from './config-file.ts';
import type { TripactConfig } from './define-config.ts';

/** The skills of the service, as its parts use them. */
export const skillParts = (skills: readonly Skill[]) => {
  /** The skills that a task with this catalogue can read: all, where it has their tool. */
  const readable = ({ tools }: Catalogue): readonly Skill[] =>
    tools.some(({ name }) => name === SKILL_TOOL) ? skills : [];
  const hashesOf = (of: readonly Skill[]): SkillHashes =>
    Object.fromEntries(of.map(({ name, sha256 }) => [name, sha256]));
  return {
    list: skills,
    all: hashesOf(skills),
    tools: skills.length === 0 ? [] : [createSkillTool(skills)],
    readable,
    hashes: (catalogue: Catalogue): SkillHashes => hashesOf(readable(catalogue)),
  };
};

/** Reads the configured skills, once. Throws `CONFIG_INVALID` with all that is wrong with them. */
export const openSkills = async (
  { skillsDir }: Pick<Config, 'skillsDir'>,
  { skills: written }: Pick<TripactConfig, 'skills'>,
) => {
  const folder = skillsDir ?? written;
  if (folder === undefined) return skillParts([]);
  const { skills, problems } = await readSkills(resolve(folder));
  const place = skillsDir === null ? `${CONFIG_FILE} › skills` : 'TRIPACT_SKILLS_DIR';
  if (problems.length > 0) throw invalidConfig(problems.map((problem) => `${place}: ${problem}`));
  return skillParts(skills);
};

export type ServiceSkills = ReturnType<typeof skillParts>;
