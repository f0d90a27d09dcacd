import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance } from 'fastify';
import { isInstalled } from '../../lib/optional-packages.ts';
import { handleError, handleNotFound } from '../error-handler.ts';
import { addOperationsPage } from '../operations-page.ts';
import { zodCompilers } from '../zod-compilers.ts';

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
