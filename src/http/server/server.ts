import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import Fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  type FastifyServerOptions,
  LogController,
} from 'fastify';
import { validatorCompiler } from 'fastify-type-provider-zod';
import { LOCAL_OWNER } from '../../../contracts/ids.ts';
import { REQUEST_BYTES_MAX } from '../../../contracts/limits.ts';
import { ServiceError } from '../../lib/errors.ts';
import { hasRoundedNumber } from '../../lib/exact-json.ts';
import type { Log } from '../../lib/log.ts';
import { madeOnce } from '../../lib/once.ts';
import type { HttpLimits } from './limits.ts';
import { handleError, handleFileError, handleNotFound } from './problem.ts';
import { logRequests, requestIdOf } from './request-log.ts';

/**
 * zod validates requests. Replies are sent as the code makes them; tests check them against their contracts. Fastify's
 * own compilers are never loaded.
 */
export const zodCompilers: NonNullable<FastifyServerOptions['schemaController']> = {
  // Fastify types these factories by its own compilers.
  compilersFactory: {
    buildValidator: () => validatorCompiler as never,
    buildSerializer: () => () => JSON.stringify,
  },
};

/**
 * Longest path segment that reaches a route, in characters: whatever fits into Node's header limit, so that the route
 * itself answers it.
 */
const PARAM_CHARS_MAX = 16 * 1024;

/** A request target without a host: a path, or the whole server (`OPTIONS *`). */
const HOSTLESS_TARGET = /^(?:\*$|\/(?![/\\]))/;

/**
 * Accepts only JSON bodies, so that forms of foreign pages are not read. Refuses `__proto__` and `constructor` keys,
 * bytes that are not UTF-8, and numbers that would be rounded.
 */
const parseJsonOnly = (app: FastifyInstance): void => {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.removeAllContentTypeParsers();
  app.addContentTypeParser<Buffer>('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (body.length === 0) return done(null, undefined);
    if (!isUtf8(body)) return done(new ServiceError('INVALID_REQUEST', 'Send the body in UTF-8, not compressed'));
    const text = body.toString();
    return parse(request, text, (error, value) =>
      error === null && hasRoundedNumber(text)
        ? done(new ServiceError('INVALID_REQUEST', 'The body has a number that JSON rounds: write it as a string'))
        : done(error, value),
    );
  });
};

const requestLog = (): LogController =>
  new LogController({ disableRequestLogging: true, requestIdLogLabel: 'request_id' });

/**
 * Headers that keep browsers from running, framing or reading replies where they should not. No HSTS: that is up to
 * whoever terminates TLS in front of the service.
 */
const HEADERS = {
  'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

declare module 'fastify' {
  interface FastifyRequest {
    /** The path that the service is reached below, such as `/agent`; empty at the root of an address. */
    readonly prefix: string;
  }
}

/** A request's target without the prefix, if it begins with it: a proxy may have removed it. */
const withoutPrefix = (target: string, prefix: string): string => {
  const rest = target.slice(prefix.length);
  if (!target.startsWith(prefix) || !/^(?:$|[/?])/.test(rest)) return target;
  return rest.startsWith('/') ? rest : `/${rest}`;
};

/**
 * Creates an application without routes. Its errors are problems, its bodies are JSON, and it logs each request. A
 * route that serves a page sets its own `content-security-policy`. Routes are served below `prefix` and at the root.
 */
export const createServer = (
  log: Log,
  { requestTimeoutMs, keepAliveTimeoutMs }: HttpLimits,
  prefix = '',
): FastifyInstance => {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: requestLog(),
    genReqId: requestIdOf,
    // A proxy on this machine or in its private network reports how it was reached.
    trustProxy: 'loopback, linklocal, uniquelocal',
    bodyLimit: REQUEST_BYTES_MAX,
    exposeHeadRoutes: true,
    schemaController: zodCompilers,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    // It makes the original URL anew, which a program that mounts the service has set.
    ...(prefix !== '' && { rewriteUrl: ({ url = '/' }: IncomingMessage) => withoutPrefix(url, prefix) }),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Event streams never end by themselves. Until they are closed, late requests get the engine's own refusal.
    forceCloseConnections: true,
    return503OnClosing: false,
    frameworkErrors: handleError,
  });
  // Until it is authenticated, a request has no special rights.
  app.decorateRequest('owner', LOCAL_OWNER);
  app.decorateRequest('role', 'user');
  app.decorateRequest('by');
  app.decorateRequest('decider');
  app.decorateRequest('turnStatus', null);
  app.decorateRequest('prefix', {
    getter() {
      // Where it is mounted below a prefix, the original URL contains the prefix.
      return this.originalUrl.slice(0, -this.url.length) || prefix;
    },
  });
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleNotFound);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    // The router ignores a host in the target. Code that parses the target as a URL would use it.
    if (HOSTLESS_TARGET.test(request.raw.url ?? '')) done();
    else
      done(
        new ServiceError(
          'INVALID_REQUEST',
          'Send a path that begins with a single slash, and the host in the header Host',
        ),
      );
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const location = reply.getHeader('location');
    if (typeof location === 'string' && location.startsWith('/')) reply.header('location', request.prefix + location);
    done();
  });
  logRequests(app);
  parseJsonOnly(app);
  return app;
};

/**
 * Creates a handler that passes requests to an application of pages, built at the first request. Its replies carry the
 * headers set here so far, and its log lines the same request id.
 */
export const createPages = (log: FastifyBaseLogger, build: (app: FastifyInstance) => Promise<void>) => {
  const built = madeOnce(async () => {
    const app: FastifyInstance = Fastify({
      loggerInstance: log,
      logController: requestLog(),
      genReqId: requestIdOf,
      schemaController: zodCompilers,
    });
    app.setErrorHandler(handleFileError);
    app.setNotFoundHandler(handleNotFound);
    await build(app);
    await app.ready();
    return app;
  });
  return async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const { routing } = await built();
    for (const [name, value = ''] of Object.entries(reply.getHeaders())) reply.raw.setHeader(name, value);
    request.raw.headers['x-request-id'] = request.id;
    reply.hijack();
    routing(request.raw, reply.raw);
    return reply;
  };
};
