import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const pages = ['README.md', 'CHANGELOG.md', 'AGENTS.md', 'CONTRIBUTING.md', 'SECURITY.md', ...globSync('docs/**/*.md')];

const linksOf = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/\]\(([^)\s#]+)[^)]*\)/g)].flatMap(([, link]) => link ?? []);

/** Files and folders of this repository that a page names, also as a pattern such as `test/engine/*.ts`. */
const pathsOf = (page: string): string[] =>
  readFileSync(page, 'utf8').match(/(?<![\w/.-])(?:contracts|machines|src|test)\/[\w./*-]*[\w*]/g) ?? [];

describe('references of the documents exist', () => {
  it.each(pages)('the pages that %s links to', (page) => {
    const local = linksOf(page).filter((link) => !/^https?:/.test(link));
    expect(local.filter((link) => !existsSync(join(dirname(page), link)))).toEqual([]);
  });

  it('the files that docs/architecture.md names', () => {
    const paths = pathsOf('docs/architecture.md');
    expect(paths.length).toBeGreaterThan(5);
    expect(paths.filter((path) => globSync(path).length === 0)).toEqual([]);
  });
});
