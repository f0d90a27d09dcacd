import type { FastifyInstance } from 'fastify';

/**
 * Adds a scope of routes and hooks to the application under a name for Fastify's messages. Without a name Fastify looks for the
 * function among all modules that are loaded, which takes longer with each of them.
 */
export const addScope = async (
  app: Pick<FastifyInstance, 'register'>,
  name: string,
  scope: (app: FastifyInstance) => Promise<void>,
): Promise<void> => {
  const display = Symbol.for('fastify.display-name');
  await app.register(Object.assign((inner: FastifyInstance) => scope(inner), { [display]: name }));
};
