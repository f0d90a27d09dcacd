import { readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../lib/errors.ts';

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

/** What is shown in place of the console: that it is being built, after which the page loads itself again, or why there is none. No script and no style. */
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

/** What the page may load: its own files and the API of its own origin, nothing inline. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** How long a browser keeps a built file, in seconds: its name changes with its content. */
const ASSET_SECONDS = 365 * 24 * 60 * 60;

/** Seconds after which a page that waits for the build asks again. */
const BUILDING_SECONDS = 1;

/** The built files by their plain names, which lie in one folder. */
const ASSET = /^\/console\/assets\/([A-Za-z0-9][\w.-]{0,99})$/;

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR');

const sendAsset = async (reply: FastifyReply, folder: string, name: string): Promise<FastifyReply> => {
  const type = types[extname(name)];
  if (type === undefined) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
  try {
    const content = await readFile(join(folder, 'assets', name));
    return reply.type(type).header('cache-control', `public, max-age=${ASSET_SECONDS}, immutable`).send(content);
  } catch (error) {
    if (isMissing(error)) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
    throw error;
  }
};

/**
 * `/console` and all below it: the console's page at every address, so that each of its screens has a link, and its files below
 * `/console/assets/`. Open to all, for it has no data: what it shows it asks the API for, with the key that its user gives it.
 */
export const addConsole = (app: FastifyInstance, find: FindConsole): void => {
  const serve = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const [path = ''] = request.url.split('?');
    const [, asset] = ASSET.exec(path) ?? [];
    const found = find();
    reply.header('content-security-policy', POLICY);
    if (asset !== undefined && found.state === 'ready') return sendAsset(reply, found.folder, asset);
    if (path.startsWith('/console/assets/')) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
    reply.type('text/html; charset=utf-8').header('cache-control', 'no-cache');
    switch (found.state) {
      case 'ready':
        return reply.send(await readFile(join(found.folder, 'index.html')));
      case 'building':
        return reply.code(503).header('retry-after', BUILDING_SECONDS).send(consoleNotice(null, BUILDING_SECONDS));
      case 'failed':
        return reply.code(503).send(consoleNotice(found.reason, null));
      default:
        return found satisfies never;
    }
  };
  for (const url of ['/console', '/console/*'])
    app.get(url, { schema: { hide: true, querystring: z.looseObject({}) } }, serve);
};

/** Takes a page, as a browser says that asks for one. */
const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false;

/** `/`: leads a browser to the console where it is served, and everybody else to the description of the API. Open to all, for it has no data. */
export const addFrontPage = (app: FastifyInstance, hasConsole: boolean): void => {
  app.get('/', { schema: { hide: true, querystring: z.looseObject({}) } }, async ({ headers }, reply) =>
    reply.header('vary', 'accept').redirect(hasConsole && wantsPage(headers.accept) ? '/console/' : '/docs'),
  );
};
