import { createHash, hash } from 'node:crypto';
import { type FileHandle, open, readdir, realpath, stat } from 'node:fs/promises';
import { join, posix, sep } from 'node:path';
import { z } from 'zod';
import { messageOf } from '../../lib/errors.ts';
import { yaml } from '../../lib/yaml.ts';

/** The file that makes a folder a skill. */
export const SKILL_FILE = 'SKILL.md';

/** Most skills of a service: every prompt lists them. */
export const SKILLS_MAX = 100;

/** Most files of a skill. */
export const SKILL_FILES_MAX = 500;

/** Largest file that the tool reads, in bytes. A larger one counts as a file that is no text. */
export const SKILL_FILE_BYTES_MAX = 256 * 1024;

/** Longest front matter, in characters. */
const FRONT_MATTER_CHARS_MAX = 8_000;

/** Longest description, in characters: every prompt contains it. */
const DESCRIPTION_CHARS_MAX = 1_024;

/** One skill as it was read at the start. */
export interface Skill {
  readonly name: string;
  /** Its purpose, on one line. */
  readonly description: string;
  /** The text of `SKILL.md` without its front matter. */
  readonly text: string;
  /** SHA-256 in hex over the paths and contents of all its files. */
  readonly sha256: string;
  /** Its other files by their path in the folder, with `/` between; null: no text, or too large to be read. */
  readonly files: ReadonlyMap<string, string | null>;
}

/** The skills of a folder, and what is wrong with it, one sentence each. */
export interface ReadSkills {
  readonly skills: readonly Skill[];
  readonly problems: readonly string[];
}

/** Other fields of the format (`license`, `metadata` …) are let go. */
const FrontMatter = z.looseObject({
  name: z.string('must be a text').regex(/^[A-Za-z0-9_-]{1,64}$/, 'must match ^[A-Za-z0-9_-]{1,64}$'),
  description: z
    .string('must be a text')
    .transform((text) => text.trim().replaceAll(/\s+/g, ' '))
    .pipe(z.string().min(1, 'must not be empty').max(DESCRIPTION_CHARS_MAX)),
});

/** A skill that cannot be used; the message says why. */
class BadSkill extends Error {
  override name = 'BadSkill';
}

const PARTS = /^\uFEFF?---[ \t]*\r?\n([\s\S]*?)(?:^|\n)---[ \t]*(?:\r?\n([\s\S]*))?$/;

/** `SKILL.md` as its front matter and its text. Throws `BadSkill`. */
const readSkillFile = (written: string) => {
  const [, front = '', text = ''] = PARTS.exec(written) ?? [];
  if (!PARTS.test(written))
    throw new BadSkill('must begin with front matter: "name" and "description" between two ---');
  if (front.length > FRONT_MATTER_CHARS_MAX)
    throw new BadSkill(`has front matter of more than ${FRONT_MATTER_CHARS_MAX} characters`);
  let parsed: unknown;
  try {
    parsed = yaml().parse(front);
  } catch (error) {
    throw new BadSkill(`has front matter that is not YAML: ${messageOf(error).split('\n')[0]}`);
  }
  const checked = FrontMatter.safeParse(parsed);
  if (checked.success) return { ...checked.data, text: text.trim() };
  const said = checked.error.issues.map(({ path, message }) =>
    path.length === 0 ? message : `"${path.join('.')}" ${message}`,
  );
  throw new BadSkill(`has front matter that does not fit: ${said.join('; ')}`);
};

const isHidden = (path: string): boolean => path.split('/').some((part) => part.startsWith('.'));

/**
 * The files below a folder by their paths, in the order of these, without hidden ones. Links are followed inside the
 * folder alone. Throws `BadSkill` for one that leads out of it, and for too many files.
 */
const filesBelow = async (root: string): Promise<{ path: string; real: string }[]> => {
  const found: { path: string; real: string }[] = [];
  const visit = async (folder: string): Promise<void> => {
    for (const name of await readdir(join(root, folder))) {
      const path = posix.join(folder, name);
      if (isHidden(path)) continue;
      const real = await realpath(join(root, path));
      if (!real.startsWith(root + sep)) throw new BadSkill(`"${path}" is a link that leads out of the folder`);
      const kind = await stat(real);
      if (kind.isDirectory()) await visit(path);
      else if (kind.isFile()) found.push({ path, real });
      if (found.length > SKILL_FILES_MAX) throw new BadSkill(`has more than ${SKILL_FILES_MAX} files`);
    }
  };
  await visit('');
  return found.toSorted((one, other) => (one.path < other.path ? -1 : 1));
};

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of these bytes; null: they are no text. */
const textOf = (bytes: Uint8Array): string | null => {
  if (bytes.includes(0)) return null;
  try {
    return utf8.decode(bytes);
  } catch {
    return null;
  }
};

const hashOfFile = async (file: FileHandle): Promise<string> => {
  const sha256 = createHash('sha256');
  for await (const piece of file.createReadStream({ autoClose: false })) sha256.update(piece as Buffer);
  return sha256.digest('hex');
};

/** A file's hash, and its text if the tool may read it. */
const readFileOf = async (path: string): Promise<{ sha256: string; text: string | null }> => {
  const file = await open(path);
  try {
    if ((await file.stat()).size > SKILL_FILE_BYTES_MAX) return { sha256: await hashOfFile(file), text: null };
    const bytes = await file.readFile();
    return { sha256: hash('sha256', bytes), text: textOf(bytes) };
  } finally {
    await file.close();
  }
};

/** Reads one skill. Throws `BadSkill`, and the system's errors. */
const readSkill = async (folder: string): Promise<Skill> => {
  const files = new Map<string, string | null>();
  const lines: string[] = [];
  for (const { path, real } of await filesBelow(await realpath(folder))) {
    const { sha256, text } = await readFileOf(real);
    files.set(path, text);
    lines.push(`${sha256}  ${path}\n`);
  }
  const written = files.get(SKILL_FILE);
  if (written === undefined) throw new BadSkill(`has no ${SKILL_FILE}`);
  if (written === null) throw new BadSkill(`${SKILL_FILE} must be a text of at most ${SKILL_FILE_BYTES_MAX} bytes`);
  files.delete(SKILL_FILE);
  return { ...readSkillFile(written), sha256: hash('sha256', lines.join('')), files };
};

const foldersOf = async (folder: string): Promise<string[]> => {
  const names = (await readdir(folder)).filter((name) => !isHidden(name)).toSorted();
  const kinds = await Promise.all(names.map((name) => stat(join(folder, name))));
  return names.filter((_, i) => kinds[i]!.isDirectory());
};

/**
 * Reads the skills of a folder: each of its folders is one, with a `SKILL.md`. Everything is read now and kept, so that
 * what a task is given is what was hashed. Never throws: what is wrong is in `problems`, with its place.
 */
export const readSkills = async (folder: string): Promise<ReadSkills> => {
  const skills = new Map<string, Skill>();
  const problems: string[] = [];
  let names: string[];
  try {
    names = await foldersOf(folder);
  } catch (error) {
    return { skills: [], problems: [`${folder} cannot be read (${(error as NodeJS.ErrnoException).code}).`] };
  }
  if (names.length > SKILLS_MAX) return { skills: [], problems: [`${folder} has more than ${SKILLS_MAX} skills.`] };
  for (const name of names) {
    const place = join(folder, name);
    try {
      const skill = await readSkill(place);
      if (skills.has(skill.name)) problems.push(`${place}: another skill has the name "${skill.name}".`);
      skills.set(skill.name, skill);
    } catch (error) {
      problems.push(`${place}: ${error instanceof BadSkill ? error.message : messageOf(error)}.`);
    }
  }
  return { skills: [...skills.values()], problems };
};
