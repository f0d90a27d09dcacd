import type { FastifyInstance } from 'fastify';

/**
 * Sets the headers by which browsers keep replies from being run, framed or read where they should not be. Replies are data and load nothing; a
 * route that serves a page says by `helmet: {contentSecurityPolicy}` what that may load, of its own origin and never inline. No HSTS: who ends TLS
 * in front of the service knows of it.
 */
export const setSecurityHeaders = async (app: FastifyInstance): Promise<void> => {
  await app.register(import('@fastify/helmet'), {
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
};
