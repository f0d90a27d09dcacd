import type { FastifyInstance } from 'fastify';
import { z } from 'zod';

/** Takes a page, as a browser says that asks for one. */
const wantsPage = (accept: string | undefined): boolean => accept?.includes('text/html') ?? false;

/** `/`: leads a browser to the console where it is served, and everybody else to the description of the API. Open to all, for it has no data. */
export const addFrontPage = (app: FastifyInstance, hasConsole: boolean): void => {
  app.get('/', { schema: { hide: true, querystring: z.looseObject({}) } }, async ({ headers }, reply) =>
    reply.header('vary', 'accept').redirect(hasConsole && wantsPage(headers.accept) ? '/console/' : '/docs'),
  );
};
