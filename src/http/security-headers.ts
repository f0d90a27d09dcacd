import type { FastifyInstance } from 'fastify';

/**
 * The headers by which browsers keep replies from being run, framed or read where they should not be: helmet's, for replies that are data and load
 * nothing. No HSTS: who ends TLS in front of the service knows of it.
 */
const HEADERS = {
  'content-security-policy': "default-src 'none';base-uri 'none';form-action 'none';frame-ancestors 'none'",
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'x-dns-prefetch-control': 'off',
  'x-download-options': 'noopen',
  'x-frame-options': 'DENY',
  'x-permitted-cross-domain-policies': 'none',
  'x-xss-protection': '0',
};

/** Sets the headers that every reply has. A route that serves a page says in a `content-security-policy` of its own what that may load. */
export const setCommonHeaders = (app: FastifyInstance): void => {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(HEADERS).header('x-request-id', request.id);
    done();
  });
};
