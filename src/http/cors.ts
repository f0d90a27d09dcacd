import type { FastifyInstance } from 'fastify';

/** How long a browser may keep the answer to a preflight, in seconds. */
const PREFLIGHT_SECONDS = 600;

/** What a page may read of a reply beside its body. */
const EXPOSED_HEADERS = ['location', 'preference-applied', 'retry-after', 'www-authenticate', 'x-request-id'];

/**
 * Lets the pages of these origins call, and read the replies (CORS); without any it adds nothing. They show keys as any other caller: no cookie
 * lets anybody in. Preflights of theirs are answered before a key is asked for, for browsers show none.
 */
export const allowOrigins = async (app: FastifyInstance, origins: readonly string[]): Promise<void> => {
  if (origins.length === 0) return;
  await app.register(import('@fastify/cors'), {
    origin: (origin, callback) => callback(null, origin !== undefined && origins.includes(origin)),
    methods: ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    // An OPTIONS that is none is answered as one, and not by a text of the library.
    strictPreflight: false,
  });
};
