import { expect, it } from 'vitest';
import { packagedPaths, readPage, searchPages } from '../../src/lib/packaged-docs.ts';

const pages = await Promise.all(packagedPaths().map(readPage));

/** The pages of the first sections that a search gives, each once. */
const found = (query: string): string[] => [...new Set(searchPages(pages, query.split(' ')).map(({ path }) => path))];

it.each([
  ['approvals', 'docs/tools.md'],
  ['how do I approve a tool', 'docs/tools.md'],
  ['test my agent', 'docs/testing.md'],
  ['connect open webui', 'docs/front-ends/openai.md'],
  ['use ollama', 'docs/models.md'],
  ['limit cost of a task', 'docs/models.md'],
  ['mcp servers', 'docs/tools.md'],
  ['deploy with docker', 'docs/deploy/docker.md'],
  ['api keys', 'docs/access.md'],
  ['upload files', 'docs/http-api.md'],
  ['backup and restore', 'docs/operations.md'],
  ['slack bot', 'docs/front-ends/chat-bot.md'],
])('"%s" gives %s among the first two pages', (query, page) => {
  expect(found(query).slice(0, 2)).toContain(page);
});

it('what changed comes behind what to do', () => {
  for (const query of ['approvals', 'console', 'webhooks', 'fork', 'mcp', 'console keys', 'models of a provider'])
    expect(found(query).slice(0, 3), query).not.toContain('CHANGELOG.md');
});

it('a word that no page has does not count', () => {
  expect(found('xylophone retention')[0]).toBe('docs/operations.md');
  expect(found('xylophone')).toEqual([]);
});
