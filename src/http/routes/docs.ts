import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { madeOnce } from '../../lib/once.ts';
import { isInstalled } from '../../lib/optional-packages.ts';
import { createPages } from '../server/server.ts';

/** Content security policy: only the page's own files, so it works without a network. */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  // A script sets styles; they cannot load anything from elsewhere.
  "style-src 'self' 'unsafe-inline'",
].join('; ');

/** A plain list of the API's operations, for when the page is not installed. */
const operationsText = ({ paths }: { paths: Record<string, Record<string, { summary: string }>> }): string =>
  [
    'The description of the API is at /openapi.json. For an interactive page: npm install @fastify/swagger-ui',
    '',
    ...Object.entries(paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, { summary }]) => `${method.toUpperCase()} ${path}: ${summary}`),
    ),
  ].join('\n');

/**
 * Adds `/openapi.json`, and the page `/docs`, which also serves JSON and YAML below it. Each is made at the first
 * request.
 */
export const addDocs = (app: FastifyInstance): void => {
  const json = madeOnce(() => readFile(new URL('../openapi/openapi.json', import.meta.url), 'utf8'));
  const pages = createPages(app.log, async (inner) => {
    const document = JSON.parse(await json());
    if (!isInstalled('@fastify/swagger-ui')) {
      inner.get('/docs', async () => operationsText(document));
      return;
    }
    await inner.register(import('@fastify/swagger'), { mode: 'static', specification: { document } });
    await inner.register(import('@fastify/swagger-ui'), {
      routePrefix: '/docs',
      theme: { title: 'Tripact' },
      staticCSP: POLICY,
    });
  });
  app.get('/openapi.json', async (_, reply) => reply.type('application/json').send(await json()));
  for (const url of ['/docs', '/docs/*']) app.get(url, pages);
};
