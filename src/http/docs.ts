import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify';

/** Gives the application that describes the API (`buildDescription`), built when it is first asked for. */
export type Description = () => Promise<FastifyInstance>;

/** The description of the routes that are added to `app` from now on. A start should not wait for what makes it. */
const describeLate = (app: FastifyInstance, version: string, needsKey: boolean): Description => {
  const routes: RouteOptions[] = [];
  app.addHook('onRoute', (route) => {
    routes.push(route);
  });
  const build = async (): Promise<FastifyInstance> => {
    const { buildDescription } = await import('./api-description.ts');
    return buildDescription({ version, needsKey, routes });
  };
  let building: Promise<FastifyInstance> | undefined;
  app.addHook('onClose', async () => (await building)?.close());
  return async () => {
    building ??= build();
    try {
      return await building;
    } catch (error) {
      building = undefined;
      throw error;
    }
  };
};

/** `/docs`: a page that shows the API. Has to come before the routes that it describes. */
export const addDocs = (app: FastifyInstance, version: string, needsKey: boolean): Description => {
  const description = describeLate(app, version, needsKey);
  const page = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const { routing } = await description();
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    reply.hijack();
    routing(request.raw, reply.raw);
  };
  for (const url of ['/docs', '/docs/*']) app.get(url, { schema: { hide: true } }, page);
  return description;
};

/** `GET /openapi.json`: the description of all routes. */
export const addOpenApiRoute = (app: FastifyInstance, description: Description): void => {
  app.get('/openapi.json', { schema: { hide: true } }, async () => (await description()).swagger());
};
