import { createJsonSchemaTransform } from 'fastify-type-provider-zod';
import { z } from 'zod';
import type { ComponentRegistry } from './openapi/components.ts';
import { OPENAPI_VERSION } from './described-paths.ts';
import { handleNotFound } from './error-handler.ts';

/**
 * The components of a registry as JSON Schema, by their names: each as read (`TaskInput`) and as written (`Task`). One in each turn of the event
 * loop: the library that describes routes writes all of them at once, but for a body or a response that has no name.
 */
export const describeComponents = async (schemaRegistry: ComponentRegistry): Promise<Record<string, unknown>> => {
  const transform = createJsonSchemaTransform({ schemaRegistry });
  const read: Record<string, unknown> = {};
  const written: Record<string, unknown> = {};
  const describe = (name: string, schema: z.core.$ZodType): void => {
    const { id: _, ...metadata } = schemaRegistry.get(schema) ?? {};
    const unnamed = z.core.clone(schema, schema._zod.def);
    schemaRegistry.add(unnamed, metadata);
    const route = {
      ...{ method: 'POST', url: '/', handler: handleNotFound },
      schema: { body: unnamed, response: { 200: unnamed } },
    };
    const described = transform({ ...route, route, openapiObject: { openapi: OPENAPI_VERSION } }).schema;
    read[`${name}Input`] = described.body;
    written[name] = (described.response as Record<string, unknown>)['200'];
  };
  for (const [name, schema] of schemaRegistry._idmap) describe(name, schema);
  return { ...read, ...written };
};
