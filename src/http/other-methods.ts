import type { FastifyInstance } from 'fastify';
import findMyWay from 'find-my-way';
import { ServiceError } from '../lib/errors.ts';
import { handleNotFound } from './error-handler.ts';
import { FOREIGN_PAGE } from './guards.ts';
import { PARAM_CHARS_MAX } from './http-limits.ts';

/** What an address takes. */
interface Address {
  url: string;
  methods: Set<string>;
}

/** Finds an address by its path. The router is made when it is first asked: no start waits for it, and few callers err. */
const addressFinder = (addresses: ReadonlyMap<string, Address>): ((path: string) => Address | null) => {
  const open = () => {
    const router = findMyWay({ maxParamLength: PARAM_CHARS_MAX });
    for (const address of addresses.values()) router.on('GET', address.url, () => {}, address);
    return router;
  };
  let router: ReturnType<typeof open> | undefined;
  return (path) => {
    router ??= open();
    return (router.find('GET', path)?.store as Address | undefined) ?? null;
  };
};

/**
 * Answers what asks one of the routes that are added to `app` from now on for a method that it lacks: OPTIONS says which there are, the others are
 * 405, and an address that there is not is 404 whatever is sent to it. No CORS header is ever among it.
 */
export const answerOtherMethods = (app: FastifyInstance): void => {
  const addresses = new Map<string, Address>();
  app.addHook('onRoute', ({ url, method }) => {
    const address = addresses.get(url) ?? { url, methods: new Set(['OPTIONS']) };
    addresses.set(url, address);
    for (const one of [method].flat()) address.methods.add(one);
  });
  const find = addressFinder(addresses);
  // Before the body is parsed: its content does not matter any more.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404) return done();
    const [path = ''] = request.url.split('?');
    const address = find(path);
    if (address === null) return handleNotFound(request, reply);
    const allow = [...address.methods].sort().join(', ');
    reply.header('allow', allow);
    if (request.method === 'OPTIONS') {
      // Preflights of pages that may call are answered before this.
      if (request.headers['access-control-request-method'] !== undefined)
        throw new ServiceError('FORBIDDEN_ORIGIN', FOREIGN_PAGE);
      return void reply.code(204).send();
    }
    throw new ServiceError('METHOD_NOT_ALLOWED', `This address takes ${allow}`);
  });
};
