import fastifySwagger from '@fastify/swagger';
import Fastify, { type RouteOptions } from 'fastify';
import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ComponentRegistry } from './openapi/components.ts';
import { handleNotFound } from './error-handler.ts';
import { zodCompilers } from './zod-compilers.ts';

/** The version of OpenAPI that the description is in. */
export const OPENAPI_VERSION = '3.1.0';

/** A route as it is described: a path of several segments has a name there. */
const described = ({ method, url, schema }: RouteOptions): Pick<RouteOptions, 'method' | 'url' | 'schema'> => {
  const params = schema?.params;
  if (!url.endsWith('/*') || !(params instanceof z.ZodObject)) return { method, url, schema };
  const { '*': path, ...others } = params.shape;
  return { method, url: url.replace(/\*$/, ':path'), schema: { ...schema, params: z.object({ ...others, path }) } };
};

/**
 * The paths of the routes in OpenAPI, which refer to the components of `schemaRegistry`. Routes that hide are left out. Each path is described
 * in a turn of the event loop of its own, by an application that has no other: `swagger()` describes all that an application has at once.
 */
export const describePaths = async (
  routes: readonly RouteOptions[],
  schemaRegistry: ComponentRegistry,
): Promise<object> => {
  const transform = createJsonSchemaTransform({ schemaRegistry });
  // HEAD comes with GET.
  const shown = routes.filter(({ method, schema }) => method !== 'HEAD' && schema?.hide !== true).map(described);
  const pathOf = async (ofOnePath: typeof shown): Promise<object> => {
    const app = Fastify({ schemaController: zodCompilers });
    await app.register(fastifySwagger, { openapi: { openapi: OPENAPI_VERSION }, transform });
    for (const route of ofOnePath) app.route({ ...route, handler: handleNotFound });
    await app.ready();
    return app.swagger().paths ?? {};
  };
  const paths = {};
  for (const ofOnePath of Map.groupBy(shown, ({ url }) => url).values()) Object.assign(paths, await pathOf(ofOnePath));
  return paths;
};
