import fastifySwagger from '@fastify/swagger';
import Fastify, { type FastifyInstance, type RouteOptions } from 'fastify';
import {
  createJsonSchemaTransform,
  createJsonSchemaTransformObject,
  serializerCompiler,
  validatorCompiler,
} from 'fastify-type-provider-zod';
import { z } from 'zod';
import { Problem, SessionView, TaskView, TurnRequest, TurnView } from '../../contracts/http.ts';
import { isInstalled } from '../optional-packages.ts';
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

/** The types that the description names once and refers to. */
const named = (): z.core.$ZodRegistry<{ id: string; oneOf?: unknown }> =>
  z
    .registry<{ id: string; oneOf?: unknown }>()
    .add(TurnRequest, { ...TurnRequest.meta(), id: 'TurnRequest' })
    .add(TurnView, { id: 'Turn' })
    .add(TaskView, { id: 'Task' })
    .add(SessionView, { id: 'Session' })
    .add(Problem, { id: 'Problem' });

interface OpenApi {
  paths?: unknown;
  components?: { schemas?: Record<string, unknown> };
}

/** The description without the types that no route refers to: each type comes as read and as written. */
const withoutUnused = <Described extends object>(description: Described): Described => {
  const { paths, components }: OpenApi = description;
  const used = new Map<string, unknown>();
  const use = (user: unknown): void => {
    for (const [, name = ''] of JSON.stringify(user ?? {}).matchAll(/"#\/components\/schemas\/([^"]+)"/g)) {
      if (used.has(name)) continue;
      used.set(name, components?.schemas?.[name]);
      use(used.get(name));
    }
  };
  use(paths);
  return { ...description, components: { ...components, schemas: Object.fromEntries(used) } };
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
  const schemaRegistry = named();
  const describe = createJsonSchemaTransformObject({ schemaRegistry });
  await app.register(fastifySwagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Tripact',
        version,
        description:
          'Turns an input into a plan, works through it step by step, and answers. Errors are RFC 9457 problems, whose `type` ' +
          'is `/problems/` and the code in lower case with hyphens, such as `/problems/task-running`.',
      },
      ...(needsKey && {
        components: { securitySchemes: { key: { type: 'http', scheme: 'bearer' } } },
        security: [{ key: [] }],
      }),
    },
    transform: createJsonSchemaTransform({ schemaRegistry }),
    transformObject: (document) => withoutUnused(describe(document)),
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
