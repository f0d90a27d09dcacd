import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { isInstalled } from '../../lib/optional-packages.ts';
import { zodCompilers } from '../http-app.ts';
import { handleError, handleNotFound } from '../problem.ts';

interface Described {
  paths?: Record<string, Record<string, { summary?: string; description?: string }>>;
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const rows = ({ paths = {} }: Described): string =>
  Object.entries(paths)
    .flatMap(([path, methods]) =>
      Object.entries(methods).map(
        ([method, { summary, description }]) =>
          `<tr><th>${escaped(method.toUpperCase())} ${escaped(path)}</th><td>${escaped(summary ?? description ?? '')}</td></tr>`,
      ),
    )
    .join('\n');

/** Adds a plain list of the API's operations at `/docs`, for a service whose page of the API is not installed. No script, no style from elsewhere. */
export const addOperationsPage = (app: FastifyInstance): void => {
  app.get('/docs', { schema: { hide: true } }, async (_, reply) => {
    await reply
      .type('text/html; charset=utf-8')
      .header('content-security-policy', "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
      .send(`<!doctype html>
<html lang="en"><title>Tripact</title>
<style>body{font:15px system-ui;margin:2rem}th{text-align:left;font-family:monospace;padding-right:2rem}th,td{vertical-align:top}</style>
<h1>Tripact</h1>
<p>The description of the API is at <a href="/openapi.json">/openapi.json</a>. For a page to try it on: <code>npm install @fastify/swagger-ui</code></p>
<table>
${rows(app.swagger() as Described)}
</table></html>`);
  });
};

/** The page and its own files only: nothing of it comes from elsewhere, so it works without a network. */
const CONTENT_SECURITY_POLICY = [
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

/** Builds an application that serves a page of the API at `/docs`, given its description in JSON. */
export const buildDocsPage = async (description: string): Promise<FastifyInstance> => {
  const app = Fastify({ schemaController: zodCompilers });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleNotFound);
  await app.register(fastifySwagger, { mode: 'static', specification: { document: JSON.parse(description) } });
  if (isInstalled('@fastify/swagger-ui')) {
    await app.register(import('@fastify/swagger-ui'), {
      routePrefix: '/docs',
      theme: { title: 'Tripact' },
      staticCSP: CONTENT_SECURITY_POLICY,
    });
  } else addOperationsPage(app);
  await app.ready();
  return app;
};
