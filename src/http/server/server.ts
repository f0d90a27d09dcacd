import { isUtf8 } from 'node:buffer';
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

/** zod checks requests. Replies are made by their contracts and sent as they are, which tests hold. Fastify's own compilers are never loaded. */
export const zodCompilers: NonNullable<FastifyServerOptions['schemaController']> = {
  // Fastify types these factories by its own compilers.
  compilersFactory: {
    buildValidator: () => validatorCompiler as never,
    buildSerializer: () => () => JSON.stringify,
  },
};

/** Longest path segment that reaches a route, in characters: any that fits into Node's limit of headers, so that the route itself answers it. */
const PARAM_CHARS_MAX = 16 * 1024;

/** A request target that names no host: a path, or all of the server (`OPTIONS *`). */
const HOSTLESS_TARGET = /^(?:\*$|\/(?![/\\]))/;

/** Takes JSON bodies only, so that no form of a foreign page is read. `__proto__` and `constructor` keys and bytes that are not UTF-8 are refused, and numbers that would be rounded. */
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

/** Headers by which browsers neither run, frame nor read replies where they should not. No HSTS: who ends TLS in front of the service knows of it. */
const HEADERS = {
  'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
};

/** Makes an application without routes, whose errors are problems, whose bodies are JSON, and which logs each request. A route that serves a page sets a `content-security-policy` of its own. */
export const createServer = (log: Log, { requestTimeoutMs, keepAliveTimeoutMs }: HttpLimits): FastifyInstance => {
  const app: FastifyInstance = Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: requestLog(),
    genReqId: requestIdOf,
    // A proxy on this machine or in its private network says how it was reached.
    trustProxy: 'loopback, linklocal, uniquelocal',
    bodyLimit: REQUEST_BYTES_MAX,
    exposeHeadRoutes: true,
    schemaController: zodCompilers,
    routerOptions: { maxParamLength: PARAM_CHARS_MAX },
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: keepAliveTimeoutMs,
    // Event streams never end by themselves. Until they are closed, late requests get the engine's own refusal.
    forceCloseConnections: true,
    return503OnClosing: false,
    frameworkErrors: handleError,
  });
  // Until it has been authenticated a request speaks for nobody who may do anything special.
  app.decorateRequest('owner', LOCAL_OWNER);
  app.decorateRequest('role', 'user');
  app.decorateRequest('turnStatus', null);
  app.setErrorHandler(handleError);
  app.setNotFoundHandler(handleNotFound);
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    // The router skips a host in the target. Code that reads the target as a URL would follow it.
    if (HOSTLESS_TARGET.test(request.raw.url ?? '')) done();
    else
      done(
        new ServiceError('INVALID_REQUEST', 'Send a path that begins with one slash, and the host in the header Host'),
      );
  });
  app.addHook('onSend', (request, reply, _payload, done) => {
    const location = reply.getHeader('location');
    // Mounted below a prefix, that is what the original URL has in front.
    if (typeof location === 'string' && location.startsWith('/'))
      reply.header('location', request.originalUrl.slice(0, -request.url.length) + location);
    done();
  });
  logRequests(app);
  parseJsonOnly(app);
  return app;
};

/** Makes a handler that hands a request on to an application of pages, built at the first one. Its replies have the headers that this one's have by then, and its log lines the same request id. */
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
