import { readFile } from 'node:fs/promises';
import type { FastifyInstance } from 'fastify';
import { madeOnce } from '../../lib/once.ts';
import { isInstalled } from '../../lib/optional-packages.ts';
import { createPages } from '../server.ts';

/** The page and its own files only: nothing of it comes from elsewhere, so it works without a network. */
const POLICY = [
  "default-src 'none'",
  "base-uri 'none'",
  "connect-src 'self'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "img-src 'self' data:",
  "script-src 'self'",
  // Styles are set by script; they can load nothing from elsewhere.
  "style-src 'self' 'unsafe-inline'",
].join('; ');

interface Described {
  paths: Record<string, Record<string, { summary: string }>>;
}

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** A plain list of the API's operations, for a service whose page of the API is not installed. */
const operationsPage = ({ paths }: Described): string => {
  const rows = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { summary }]) => `<tr><th>${method.toUpperCase()} ${path}</th><td>${escaped(summary)}</td></tr>`,
    ),
  );
  return `<!doctype html>
<html lang="en"><title>Tripact</title>
<style>body{font:15px system-ui;margin:2rem}th{text-align:left;font-family:monospace;padding-right:2rem}th,td{vertical-align:top}</style>
<h1>Tripact</h1>
<p>The description of the API is at <a href="/openapi.json">/openapi.json</a>. For a page to try it on: <code>npm install @fastify/swagger-ui</code></p>
<table>
${rows.join('\n')}
</table></html>`;
};

/** Adds `/openapi.json`, and `/docs`, a page that shows it, also in JSON and YAML below it; each is made when it is first asked for. */
export const addDocs = (app: FastifyInstance): void => {
  const json = madeOnce(() => readFile(new URL('../openapi/openapi.json', import.meta.url), 'utf8'));
  const pages = createPages(async (inner) => {
    const document = JSON.parse(await json());
    await inner.register(import('@fastify/swagger'), { mode: 'static', specification: { document } });
    if (isInstalled('@fastify/swagger-ui'))
      await inner.register(import('@fastify/swagger-ui'), {
        routePrefix: '/docs',
        theme: { title: 'Tripact' },
        staticCSP: POLICY,
      });
    else
      inner.get('/docs', async (_, reply) =>
        reply.type('text/html; charset=utf-8').header('content-security-policy', POLICY).send(operationsPage(document)),
      );
  });
  app.get('/openapi.json', async (_, reply) => reply.type('application/json').send(await json()));
  for (const url of ['/docs', '/docs/*']) app.get(url, pages);
};
