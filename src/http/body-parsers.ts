import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { ServiceError } from '../errors.ts';

/**
 * Takes JSON bodies only: any other type is 415, so that no form of a foreign page is ever read. `__proto__` and
 * `constructor` keys and bytes that are not UTF-8 are refused; no body at all is left to the route's schema.
 */
export const parseJsonOnly = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(new ServiceError('INVALID_REQUEST', 'The body is not UTF-8'));
    return parse(request, body.toString(), done);
  });
};
