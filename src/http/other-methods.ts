import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ServiceError } from '../errors.ts';

/**
 * Remembers the routes that are added to `app` from now on. The function that it returns then adds, for each address, the
 * methods that it lacks: OPTIONS says which there are, the others are 405. No CORS header is ever among it.
 */
export const answerOtherMethods = (app: FastifyInstance): (() => void) => {
  const methodsOf = new Map<string, Set<string>>();
  app.addHook('onRoute', ({ url, method }) => {
    const methods = methodsOf.get(url) ?? new Set();
    methodsOf.set(url, methods);
    for (const one of [method].flat()) methods.add(one);
  });
  return () => {
    for (const [url, methods] of [...methodsOf]) {
      const allow = [...methods, 'OPTIONS'].sort().join(', ');
      // Before the body is parsed: its content does not matter any more.
      const answer = async ({ method }: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
        reply.header('allow', allow);
        if (method === 'OPTIONS') return reply.code(204).send();
        throw new ServiceError('METHOD_NOT_ALLOWED', `This address takes ${allow}`);
      };
      const method = app.supportedMethods.filter((other) => !methods.has(other));
      app.route({ method, url, schema: { hide: true }, onRequest: answer, handler: answer });
    }
  };
};
