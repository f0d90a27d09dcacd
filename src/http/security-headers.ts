import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

/**
 * Sets the headers by which browsers keep replies from being run, framed or read where they should not be. Replies are data and load nothing; a
 * route that serves a page says in a `content-security-policy` of its own what that may load, of its own origin and never inline. No HSTS: who ends
 * TLS in front of the service knows of it.
 */
export const setSecurityHeaders = (app: FastifyInstance): void => {
  // Made once: Fastify's plugin for it makes all of it anew at every request.
  const setHeaders = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: false,
    xFrameOptions: { action: 'deny' },
  });
  app.addHook('onRequest', ({ raw }, reply, done) => setHeaders(raw, reply.raw, () => done()));
};
