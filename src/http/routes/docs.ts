import { readFile } from 'node:fs/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';
import { madeOnce } from '../../lib/once.ts';

/** The paths of the API's page: itself, and its files by their plain names. */
const PAGE_PATH = /^\/docs(?:\/|\/static\/(?:[A-Za-z0-9][\w.-]{0,99})?)?$/;

/** The description of the API, in its forms; each is made when it is first asked for. */
const createDescription = (needsKey: boolean) => {
  const json = madeOnce(async () => {
    const text = await readFile(new URL('../openapi/openapi.json', import.meta.url), 'utf8');
    if (needsKey) return text;
    const { components, ...described } = JSON.parse(text) as { components: object };
    return JSON.stringify({ ...described, components: { ...components, securitySchemes: undefined }, security: [] });
  });
  const yaml = madeOnce(async () => {
    const { stringify } = await import('yaml');
    return stringify(JSON.parse(await json()));
  });
  const page = madeOnce(async () => {
    const { buildDocsPage } = await import('../openapi/docs-page.ts');
    return buildDocsPage(await json());
  });
  return { json, yaml, page };
};

/** Adds `/openapi.json`, and `/docs`, a page that shows it. The page reads it at `/docs/json`; people also ask for it in YAML. */
export const addDocs = (app: FastifyInstance, needsKey: () => boolean): void => {
  // The first key may be added while the service runs.
  const [open, keyed] = [createDescription(false), createDescription(true)];
  const description = () => (needsKey() ? keyed : open);
  const schema = { hide: true };
  for (const url of ['/openapi.json', '/docs/json'])
    app.get(url, { schema }, async (_, reply) => reply.type('application/json').send(await description().json()));
  app.get('/docs/yaml', { schema }, async (_, reply) =>
    reply.type('application/x-yaml').send(await description().yaml()),
  );
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const [path = ''] = request.url.split('?');
    if (!PAGE_PATH.test(path)) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
    const { routing } = await description().page();
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  for (const url of ['/docs', '/docs/*']) app.get(url, { schema }, page);
};
