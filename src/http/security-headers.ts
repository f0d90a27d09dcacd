import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import helmet from 'helmet';

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

/** The headers that every reply gets: they are the same for all, so they are taken from a reply that is never sent. */
const securityHeaders = (): Record<string, string> => {
  const request = new IncomingMessage(new Socket());
  const response = new ServerResponse(request);
  setHeaders(request, response, () => {});
  return Object.fromEntries(Object.entries(response.getHeaders()).map(([name, value]) => [name, String(value)]));
};

/**
 * Sets the headers by which browsers keep replies from being run, framed or read where they should not be. Replies are data and load nothing; a
 * route that serves a page says in a `content-security-policy` of its own what that may load, of its own origin and never inline. No HSTS: who ends
 * TLS in front of the service knows of it.
 */
export const setSecurityHeaders = (app: FastifyInstance): void => {
  const headers = securityHeaders();
  app.addHook('onRequest', (_request, reply, done) => {
    reply.headers(headers);
    done();
  });
};
