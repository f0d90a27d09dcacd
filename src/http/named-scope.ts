import type { FastifyInstance, FastifyPluginAsync } from 'fastify';

/**
 * Names a scope of the application for Fastify's messages. Without a name Fastify looks for the function among all modules that are
 * loaded, which takes longer with each of them.
 */
export const named = (name: string, scope: (app: FastifyInstance) => Promise<void>): FastifyPluginAsync =>
  Object.assign((app: FastifyInstance) => scope(app), { [Symbol.for('fastify.display-name')]: name });
