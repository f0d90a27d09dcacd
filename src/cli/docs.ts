import { packagedPaths, readPage, searchPages, titleOf } from '../lib/packaged-docs.ts';
import { printable, printableLines } from '../lib/printable.ts';
import { CommandFailure, exitCode } from './failure.ts';

/** Sections that a search prints, lines of each, and further pages that it names. */
const SECTIONS_MAX = 5;
const MORE_MAX = 5;
const LINES_MAX = 12;

const print = (text: string): void => console.log(printableLines(text));

/**
 * `tripact docs`: lists the package's pages; prints the one that the words name; else the sections that fit the words
 * best. Needs no network. Returns the exit code.
 */
export const showDocs = async (given: string[]): Promise<number> => {
  const paths = packagedPaths();
  const [first = ''] = given;
  const named = paths.find((path) => given.length === 1 && (path === first || path === `docs/${first}`));
  if (named !== undefined) {
    print((await readPage(named)).text.trimEnd());
    return exitCode.answered;
  }
  const pages = await Promise.all(paths.map(readPage));
  if (given.length === 0) {
    for (const page of pages) print(`${page.path}  ${titleOf(page)}`);
    return exitCode.answered;
  }
  const words = given.flatMap((each) => each.split(/\s+/)).filter((word) => word !== '');
  const found = searchPages(pages, words);
  if (found.length === 0)
    throw new CommandFailure(printable(`No page has any of: ${words.join(' ')}. "tripact docs" lists the pages`));
  for (const { path, headings, text } of found.slice(0, SECTIONS_MAX)) {
    const [, ...lines] = text.split('\n');
    const shown = lines.slice(0, LINES_MAX);
    print([`${path}: ${headings.join(' › ')}`, ...shown, ...(shown.length < lines.length ? ['…'] : []), ''].join('\n'));
  }
  const shown = found.slice(0, SECTIONS_MAX).map(({ path }) => path);
  const more = [...new Set(found.map(({ path }) => path))].filter((path) => !shown.includes(path)).slice(0, MORE_MAX);
  if (more.length > 0) print(`Also in: ${more.join(', ')}`);
  return exitCode.answered;
};
