import type { FastifyInstance } from 'fastify';
import { packagedPaths, readPage, summaryOf, titleOf } from '../../lib/packaged-docs.ts';

/** Longest summary of a page in the list, in characters. */
const SUMMARY_CHARS_MAX = 160;

/** The list of pages, as language models look for it (llmstxt.org). */
const listOf = async (paths: readonly string[], prefix: string): Promise<string> => {
  const pages = await Promise.all(paths.map(readPage));
  const lines = pages.map((page) => {
    const summary = summaryOf(page);
    const shown = summary.length > SUMMARY_CHARS_MAX ? `${summary.slice(0, SUMMARY_CHARS_MAX)}…` : summary;
    return `- [${titleOf(page)}](${prefix}/${page.path})${shown === '' ? '' : `: ${shown}`}`;
  });
  const about = `> A Tripact service: an agent that runs as a state machine. Its API is described at ${prefix}/openapi.json.`;
  return ['# Tripact', '', about, '', '## Pages', '', ...lines, ''].join('\n');
};

/**
 * `/llms.txt`, and the package's pages as Markdown at their paths, such as `/docs/tools.md`. Public, as they contain no
 * data. Where the package has no pages the list is empty.
 */
export const addPackagedPages = (app: FastifyInstance): void => {
  const paths = packagedPaths();
  const hidden = { schema: { hide: true } };
  app.get('/llms.txt', hidden, async ({ prefix }, reply) =>
    reply.type('text/plain; charset=utf-8').send(await listOf(paths, prefix)),
  );
  for (const path of paths)
    app.get(`/${path}`, hidden, async (_, reply) =>
      reply.type('text/markdown; charset=utf-8').send((await readPage(path)).text),
    );
};
