import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../../lib/errors.ts';
import { madeOnce } from '../../lib/once.ts';

/** What the page of the API serves below `/docs`: itself, and its files by their plain names. */
const PAGE_PATH = /^\/docs(?:\/|\/static\/(?:[A-Za-z0-9][\w.-]{0,99})?)?$/;

/** What describes the API. Each is made when it is first asked for, once for all who ask. */
export interface Description {
  json(): Promise<string>;
  yaml(): Promise<string>;
  /** An application that serves the page at `/docs`. */
  page(): Promise<FastifyInstance>;
}

/** The description of the routes that are added to `app` from now on. A start should not wait for what makes it. */
export const describeLate = (app: FastifyInstance, version: string, needsKey: () => boolean): Description => {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  const describe = (isKeyNeeded: boolean): Description => {
    const json = madeOnce(async () => {
      const { describeApi } = await import('../openapi/describe.ts');
      return describeApi({ version, needsKey: isKeyNeeded, routes });
    });
    return {
      json,
      yaml: madeOnce(async () => {
        const text = await json();
        const { stringify } = await import('yaml');
        return stringify(JSON.parse(text));
      }),
      page: madeOnce(async () => {
        const text = await json();
        const { buildDocsPage } = await import('../openapi/docs-page.ts');
        return buildDocsPage(text);
      }),
    };
  };
  // The first key may be added while the service runs.
  const [open, keyed] = [describe(false), describe(true)];
  const now = (): Description => (needsKey() ? keyed : open);
  return { json: () => now().json(), yaml: () => now().yaml(), page: () => now().page() };
};

/** `/docs`: a page that shows the API. */
export const addDocs = (app: FastifyInstance, description: Description): void => {
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const [path = ''] = request.url.split('?');
    if (!PAGE_PATH.test(path)) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
    const { routing } = await description.page();
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  for (const url of ['/docs', '/docs/*']) app.get(url, { schema: { hide: true } }, page);
};

/** `GET /openapi.json`: the description of all routes. The page reads it at `/docs/json`; people also ask for it in YAML. */
export const addOpenApiRoutes = (app: FastifyInstance, description: Description): void => {
  const schema = { hide: true };
  for (const url of ['/openapi.json', '/docs/json'])
    app.get(url, { schema }, async (_, reply) => reply.type('application/json').send(await description.json()));
  app.get('/docs/yaml', { schema }, async (_, reply) =>
    reply.type('application/x-yaml').send(await description.yaml()),
  );
};
