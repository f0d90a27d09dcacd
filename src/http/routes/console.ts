import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { createPages } from '../server.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** A page in place of the console: that it is being built, after which the page loads itself again, or why there is none. No script and no style. */
export const consoleNotice = (problem: string | null, reloadSeconds: number | null): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark">
${reloadSeconds === null ? '' : `<meta http-equiv="refresh" content="${reloadSeconds}">`}<title>Tripact</title>
<h1>Tripact</h1>
${
  problem === null
    ? '<p>The console is being built, once for this version of the sources. This takes some seconds; the page opens by itself.</p>\n<p lang="zh">正在构建控制台（每个源码版本只需一次），几秒后页面会自动打开。</p>'
    : `<p>The console is not available: ${escaped(problem)}</p>\n<p lang="zh">控制台不可用，原因见上。</p>\n<p><a href="/docs">API / 接口文档</a></p>`
}
</html>
`;

/** Where the built console is, or why there is none yet. */
export type ConsoleBuild =
  | { state: 'ready'; folder: string }
  | { state: 'building' }
  /** It can not be built; `reason` says why. */
  | { state: 'failed'; reason: string };

/** Says where the console is; the first call may begin to build it. Never waits. */
export type FindConsole = () => ConsoleBuild;

/** The content policy of the page: its own files and the API of its own origin, nothing inline. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const BUILDING_SECONDS = 1;

/** Builds the application of a built console: its page at every address, and its files, compressed where the build left them so. */
const addFiles = async (app: FastifyInstance, folder: string): Promise<void> => {
  await app.register(import('@fastify/static'), {
    root: join(folder, 'assets'),
    prefix: '/console/assets/',
    preCompressed: true,
    // A browser keeps a built file: its name changes with its content.
    ...{ immutable: true, maxAge: '365d' },
  });
  for (const url of ['/console', '/console/*'])
    app.get(url, async (_, reply) =>
      reply.header('cache-control', 'no-cache').sendFile('index.html', folder, { cacheControl: false }),
    );
};

/**
 * `/console` and all below it: the console's page at every address, so that each of its screens has a link, and its files below
 * `/console/assets/`. Open to all, for it has no data: what it shows it asks the API for, with the key that its user gives it.
 */
export const addConsole = (app: FastifyInstance, find: FindConsole): void => {
  const pages = createPages(async (inner) => {
    const found = find();
    if (found.state === 'ready') await addFiles(inner, found.folder);
  });
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const found = find();
    reply.header('content-security-policy', POLICY);
    if (found.state === 'ready') return pages(request, reply);
    reply.code(503).type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    if (found.state === 'failed') return reply.send(consoleNotice(found.reason, null));
    return reply.header('retry-after', BUILDING_SECONDS).send(consoleNotice(null, BUILDING_SECONDS));
  };
  for (const url of ['/console', '/console/*']) app.get(url, serve);
};

const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false;

/** `/`: leads a browser to the console where it is served, and everybody else to the description of the API. Open to all, for it has no data. */
export const addFrontPage = (app: FastifyInstance, hasConsole: boolean): void => {
  app.get('/', async ({ headers }, reply) =>
    reply.header('vary', 'accept').redirect(hasConsole && wantsPage(headers.accept) ? '/console/' : '/docs'),
  );
};
