import type { FastifyInstance } from 'fastify';

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
