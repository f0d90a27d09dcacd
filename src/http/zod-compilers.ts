import type { FastifyServerOptions } from 'fastify';
import { serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';

/** zod checks all there is to check, so Fastify's own compilers are never loaded, which takes tens of milliseconds. */
export const zodCompilers: NonNullable<FastifyServerOptions['schemaController']> = {
  // Fastify types these factories by its own compilers.
  compilersFactory: {
    buildValidator: () => validatorCompiler as never,
    buildSerializer: () => serializerCompiler as never,
  },
};
