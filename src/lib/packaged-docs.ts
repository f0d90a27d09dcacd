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

/** A word without its ending, so that "approve", "approvals" and "approving" are the same. */
const stemOf = (word: string): string => {
  const one = word.length > 3 ? word.replace(/(?<!s)s$/, '') : word;
  const root = one.length > 4 ? one.replace(/(?:ation|ment|able|al|ing|ed|e)$/, '') : one;
  return root.replace(/(.)\1$/, '$1');
};

const stemsOf = (text: string): string[] => (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).map(stemOf);

/** Words of a question that say nothing of its subject. */
const ASKING = new Set(
  'a an the i my me you your it is are be do does can how what which where when why to of in on at for with and or use using'.split(
    ' ',
  ),
);

/** Pages that mention everything, and those for few readers: how much a hit there counts, beside one in a guide. */
const WEIGHTS: readonly (readonly [path: RegExp, weight: number])[] = [
  [/^CHANGELOG\.md$/, 0.3],
  [/^docs\/(?:SPEC|architecture|statechart|glossary|dependencies|performance|many-machines|coming-from\/.*)\.md$/, 0.5],
  [/^(?:README|AGENTS|skills\/.*)\.md$/, 0.7],
];

const weightOf = (path: string): number => WEIGHTS.find(([of]) => of.test(path))?.[1] ?? 1;

/** How often a word has to be in a text to count as much as once in the page's title, or in the heading. */
const TITLE_HITS = 3;
const HEADING_HITS = 5;

/** The constants of BM25: how soon further hits count no more, and how much a text's length counts. */
const SATURATION = 1.2;
const LENGTH_SHARE = 0.75;

/** A section's stems, each with its number of hits. */
const hitsOf = ({ headings: [title = '', heading = ''], text, path }: PageSection): Map<string, number> => {
  const hits = new Map<string, number>();
  const count = (stems: Iterable<string>, by: number): void => {
    for (const stem of stems) hits.set(stem, (hits.get(stem) ?? 0) + by);
  };
  count(stemsOf(text), 1);
  count(new Set(stemsOf(`${title} ${path}`)), TITLE_HITS);
  // The beginning of a page is what its title says.
  count(new Set(stemsOf(heading === '' ? title : heading)), HEADING_HITS);
  return hits;
};

/**
 * The sections that have any of the words, best first (BM25): rare words count most, and sections that lack one come
 * behind.
 */
export const searchPages = (pages: readonly PackagedPage[], words: readonly string[]): PageSection[] => {
  const sections = pages.flatMap(sectionsOf).map((section) => ({ section, hits: hitsOf(section) }));
  const average = sections.reduce((sum, { section }) => sum + section.text.length, 0) / sections.length;
  const subject = words.filter((word) => !ASKING.has(word.toLowerCase()));
  const sought = [...new Set(stemsOf((subject.length > 0 ? subject : words).join(' ')))].flatMap((stem) => {
    const having = sections.filter(({ hits }) => hits.has(stem)).length;
    return having === 0 ? [] : [{ stem, rarity: Math.log(1 + (sections.length - having + 0.5) / (having + 0.5)) }];
  });
  const all = sought.reduce((sum, { rarity }) => sum + rarity, 0);
  const scoreOf = ({ section, hits }: (typeof sections)[number]): number => {
    const length = 1 - LENGTH_SHARE + (LENGTH_SHARE * section.text.length) / average;
    let score = 0;
    let found = 0;
    for (const { stem, rarity } of sought) {
      const count = hits.get(stem) ?? 0;
      score += (rarity * count * (SATURATION + 1)) / (count + SATURATION * length);
      if (count > 0) found += rarity;
    }
    return all === 0 ? 0 : score * (found / all) * weightOf(section.path);
  };
  return sections
    .map((scored) => ({ section: scored.section, score: scoreOf(scored) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .map(({ section }) => section);
};
