import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import { isInstalled } from '../optional-packages.ts';
import { componentSchemas } from './component-schemas.ts';
import { withOptionalBodies, withUsedSchemas } from './described-document.ts';
import { withWebhooks } from './described-webhooks.ts';
import { handleError, handleNotFound } from './error-handler.ts';
import { addOperationsPage } from './operations-page.ts';

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

/** What the routes are about, in the order in which people meet them. */
const TAGS = {
  turns: 'Inputs and the replies to them.',
  sessions: 'Conversations, named by their callers.',
  tasks: 'Goals with their plans: what each is at, and what waits for you.',
  plans: "Plans that a session keeps under names. They are no task's, and nothing runs them.",
  files: "What tasks keep in their session's folder.",
  traces: 'All that happened, entry by entry, to be read and replayed.',
  contracts: 'What a model may say.',
  tools: 'What tasks may use.',
  callbacks: 'What is posted to programs, and what came of it.',
  limits: 'Where everything that grows ends, and what you used.',
  keys: 'Who may call, for operators.',
  health: 'How the service is.',
};

/** A route as it is described: a path of several segments has a name there. */
const described = ({ url, schema }: RouteOptions): Pick<RouteOptions, 'url' | 'schema'> => {
  const params = schema?.params;
  if (!url.endsWith('/*') || !(params instanceof z.ZodObject)) return { url, schema };
  const { '*': path, ...others } = params.shape;
  return { url: url.replace(/\*$/, ':path'), schema: { ...schema, params: z.object({ ...others, path }) } };
};

/** What is described. */
export interface DescribedApi {
  version: string;
  needsKey: boolean;
  /** The routes with their zod schemas. Those that hide are left out. */
  routes: readonly RouteOptions[];
}

/**
 * Builds an application whose `swagger()` is the OpenAPI description, and that serves a page of it at `/docs`. It has the routes
 * only to describe them, and never calls what is behind them.
 */
export const buildDescription = async ({ version, needsKey, routes }: DescribedApi): Promise<FastifyInstance> => {
  const app = Fastify();
  app.setValidatorCompiler(validatorCompiler);
  app.setSerializerCompiler(serializerCompiler);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleNotFound);
  const schemaRegistry = componentSchemas();
  const describe = createJsonSchemaTransformObject({ schemaRegistry });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tripact',
        version,
        description:
          'Turns an input into a plan, works through it step by step, and answers. Errors are RFC 9457 problems, whose `type` ' +
          'is `/problems/` and the code in lower case with hyphens, such as `/problems/task-running`. Streams of events and lines of ' +
          'JSON are described as the list of all their values, each with its JSON parsed.',
        license: { name: 'MIT', identifier: 'MIT' },
        contact: { name: 'Tripact' },
      },
      servers: [{ url: '/', description: 'This service' }],
      tags: Object.entries(TAGS).map(([name, description]) => ({ name, description })),
      ...(needsKey
        ? {
            components: {
              securitySchemes: { key: { type: 'http', scheme: 'bearer', description: 'An API key of the service.' } },
            },
            security: [{ key: [] }],
          }
        : { security: [] }),
    },
    transform: createJsonSchemaTransform({ schemaRegistry }),
    transformObject: (document) => withUsedSchemas(withWebhooks(withOptionalBodies(describe(document)))),
  });
  if (isInstalled('@fastify/swagger-ui'))
    await app.register(import('@fastify/swagger-ui'), {
      routePrefix: '/docs',
      theme: { title: 'Tripact' },
      staticCSP: CONTENT_SECURITY_POLICY,
    });
  else addOperationsPage(app);
  // HEAD comes with GET.
  for (const route of routes)
    if (route.method !== 'HEAD' && route.schema?.hide !== true)
      app.route({ method: route.method, ...described(route), handler: handleNotFound });
  await app.ready();
  return app;
};
