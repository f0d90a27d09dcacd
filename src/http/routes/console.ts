import { readFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { createGunzip, gunzipSync } from 'node:zlib';
import type { FastifyInstance } from 'fastify';
import { madeOnce } from '../../lib/once.ts';
import { createPages } from '../server/server.ts';

/** Finds the folder of the built console. Rejects with the reason if there is none. */
export type FindConsole = () => Promise<string>;

/** The page's content security policy: its own files and the API of its origin, nothing inline. */
const POLICY = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Serves files that exist only compressed to clients that accept no compression. */
const unpackWhereAsked = (app: FastifyInstance): void => {
  const asked = new WeakSet<IncomingMessage>();
  app.addHook('onRequest', async ({ raw }) => {
    if (/\b(?:br|gzip)\b/.test(raw.headers['accept-encoding'] ?? '')) return;
    raw.headers['accept-encoding'] = 'gzip';
    asked.add(raw);
  });
  app.addHook('onSend', async ({ raw }, reply, payload) => {
    const isPacked = reply.statusCode === 200 && reply.getHeader('content-encoding') === 'gzip';
    if (!asked.has(raw) || !isPacked) return payload;
    reply.removeHeader('content-encoding').removeHeader('content-length');
    return payload instanceof Readable && raw.method !== 'HEAD' ? payload.pipe(createGunzip()) : payload;
  });
};

/** Where a build's page names its own files. */
const OWN_FILES = /(?<=(?:src|href)=")\/console\//g;

/**
 * The console's page at `/console` and every address below it, and its files below `/console/assets/`. Public, as it
 * contains no data. Below a prefix the page names its files with it.
 */
export const addConsole = (app: FastifyInstance, find: FindConsole): void => {
  const urls = ['/console', '/console/*'];
  const pages = createPages(app.log, async (inner) => {
    const folder = await find();
    unpackWhereAsked(inner);
    await inner.register(import('@fastify/static'), {
      root: join(folder, 'assets'),
      prefix: '/console/assets/',
      preCompressed: true,
      acceptRanges: false,
      // A browser can cache a built file for good: its name changes with its content.
      immutable: true,
      maxAge: '365d',
    });
    for (const url of urls)
      inner.get(url, async (_, reply) =>
        reply.header('cache-control', 'no-cache').sendFile('index.html', folder, { cacheControl: false }),
      );
  });
  const page = madeOnce(async () => gunzipSync(await readFile(join(await find(), 'index.html.gz'))).toString());
  const isFile = (target: string): boolean => target.startsWith('/console/assets/');
  for (const url of urls)
    app.get(url, async (request, reply) => {
      reply.header('content-security-policy', POLICY);
      if (request.prefix === '' || isFile(request.url)) return pages(request, reply);
      const text = (await page()).replaceAll(OWN_FILES, `${request.prefix}/console/`);
      return reply.header('cache-control', 'no-cache').type('text/html; charset=utf-8').send(text);
    });
};

/**
 * `/`: redirects browsers to the console if it is served, and everybody else to the API's description. Public, as it
 * contains no data.
 */
export const addFrontPage = (app: FastifyInstance, hasConsole: boolean): void => {
  app.get('/', async ({ headers }, reply) =>
    reply
      .header('vary', 'accept')
      .redirect(hasConsole && headers.accept?.includes('text/html') ? '/console/' : '/docs'),
  );
};
