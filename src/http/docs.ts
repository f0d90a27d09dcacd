import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';
import { ServiceError } from '../errors.ts';

/** What is served below `/docs`: the page, the description, and its files by their plain names. */
const DOCS_PATH = /^\/docs(?:\/|\/json|\/yaml|\/static\/(?:[A-Za-z0-9][\w.-]{0,99})?)?$/;

/** Gives the application that describes the API (`buildDescription`), built when it is first asked for. */
export type Description = () => Promise<FastifyInstance>;

/** The description of the routes that are added to `app` from now on. A start should not wait for what makes it. */
export const describeLate = (app: FastifyInstance, version: string, needsKey: () => boolean): Description => {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  const build = async (isKeyNeeded: boolean): Promise<FastifyInstance> => {
    const { buildDescription } = await import('./api-description.ts');
    return buildDescription({ version, needsKey: isKeyNeeded, routes });
  };
  /** With and without a key: the first key may be added while the service runs. */
  const built = new Map<boolean, Promise<FastifyInstance>>();
  app.addHook('onClose', async () => {
    for (const description of built.values()) await (await description).close();
  });
  return async () => {
    const isKeyNeeded = needsKey();
    const description = built.get(isKeyNeeded) ?? build(isKeyNeeded);
    built.set(isKeyNeeded, description);
    try {
      return await description;
    } catch (error) {
      built.delete(isKeyNeeded);
      throw error;
    }
  };
};

/** `/docs`: a page that shows the API. */
export const addDocs = (app: FastifyInstance, description: Description): void => {
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const [path = ''] = request.url.split('?');
    if (!DOCS_PATH.test(path)) throw new ServiceError('NOT_FOUND', 'There is nothing at this address');
    const { routing } = await description();
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  for (const url of ['/docs', '/docs/*']) app.get(url, { schema: { hide: true } }, page);
};

/** `GET /openapi.json`: the description of all routes. */
export const addOpenApiRoute = (app: FastifyInstance, description: Description): void => {
  app.get('/openapi.json', { schema: { hide: true } }, async () => (await description()).swagger());
};
