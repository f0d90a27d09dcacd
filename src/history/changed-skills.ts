import type { SkillHashes } from '../../contracts/skill.ts';

/** Names of the skills that a task opened with and that are others now, or gone. */
export const changedSkills = (opened: SkillHashes | undefined, now: SkillHashes): string[] =>
  Object.entries(opened ?? {}).flatMap(([name, sha256]) => (now[name] === sha256 ? [] : [name]));
