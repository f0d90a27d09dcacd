import { existsSync, globSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The package's folder, of a checkout or an installation. */
const ROOT = fileURLToPath(new URL('.', import.meta.resolve('tripact/package.json')));

/** Pages at the package's root. */
const ROOT_PAGES = ['README.md', 'CHANGELOG.md', 'AGENTS.md', 'skills/tripact/SKILL.md'];

/** A page of the package's documentation, in Markdown. */
export interface PackagedPage {
  /** Its path in the package, such as `docs/tools.md`. */
  path: string;
  text: string;
}

/** A part of a page, from one heading to the next. */
export interface PageSection {
  path: string;
  /** The page's title and the part's heading, if it has one of its own. */
  headings: string[];
  /** Its text, with the heading. */
  text: string;
}

/** The paths of the pages that the package has: an image of the service alone has none. */
export const packagedPaths = (): string[] => [
  ...ROOT_PAGES.filter((path) => existsSync(`${ROOT}${path}`)),
  ...globSync('docs/**/*.md', { cwd: ROOT })
    .map((path) => path.replaceAll('\\', '/'))
    .sort(),
];

/** Reads the page at one of those paths. */
export const readPage = async (path: string): Promise<PackagedPage> => ({
  path,
  text: await readFile(`${ROOT}${path}`, 'utf8'),
});

/** A page's title: its first heading, else its path. */
export const titleOf = ({ path, text }: PackagedPage): string => /^# (.+)$/m.exec(text)?.[1] ?? path;

/** A page's first paragraph in plain words, on one line; empty: it begins otherwise. */
export const summaryOf = ({ text }: PackagedPage): string => {
  const paragraph = text.split(/\n{2,}/).find((part) => /^[A-Z`*[]/.test(part.trim())) ?? '';
  return paragraph
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
};

const sectionsOf = (page: PackagedPage): PageSection[] => {
  const title = titleOf(page);
  let isCode = false;
  const parts: string[][] = [[]];
  for (const line of page.text.split('\n')) {
    if (line.startsWith('```')) isCode = !isCode;
    if (!isCode && /^#{1,6} /.test(line)) parts.push([]);
    parts.at(-1)?.push(line);
  }
  return parts
    .filter((lines) => lines.some((line) => line.trim() !== ''))
    .map((lines) => {
      const heading = /^#{2,6} (.+)$/.exec(lines[0] ?? '')?.[1];
      const headings = heading === undefined ? [title] : [title, heading];
      return { path: page.path, headings, text: lines.join('\n').trim() };
    });
};

/** How well a section has all the words: most for those in its headings; 0: it lacks one. */
const scoreOf = ({ headings, text, path }: PageSection, words: readonly string[]): number => {
  const heading = `${headings.join(' ')} ${path}`.toLowerCase();
  const body = text.toLowerCase();
  const scores = words.map((word) => (heading.includes(word) ? 20 : 0) + Math.min(body.split(word).length - 1, 10));
  if (scores.includes(0)) return 0;
  // Of equal hits the shorter section says more of them.
  return scores.reduce((sum, score) => sum + score, 0) / (1 + body.length / 4_000);
};

/** The sections that have all of the words, best first. Upper and lower case are the same. */
export const searchPages = (pages: readonly PackagedPage[], words: readonly string[]): PageSection[] => {
  const sought = words.map((word) => word.toLowerCase());
  return pages
    .flatMap(sectionsOf)
    .map((section) => ({ section, score: scoreOf(section, sought) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ section }) => section);
};
