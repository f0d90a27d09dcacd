import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../lib/errors.ts';

/** The names under which a service on loopback is really reached. */
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** The name in a Host header, without its port and in lower case. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d{1,5}$/, '');

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  URL.parse(origin)?.host === (host ?? '').toLowerCase();

/** Which pages are kept out of which routes. */
export interface PageGuard {
  /** Names that it may be called by besides those of loopback. */
  allowedHosts: readonly string[];
  /** Origins whose pages may call. */
  corsOrigins: readonly string[];
  /** True while these routes are guarded. */
  isGuarded(): boolean;
}

/**
 * Keeps the pages of other sites out of the routes of `app`. A page whose name was made to resolve to this machine
 * (DNS rebinding) shows by its Host, a page that merely sends requests here by its Origin; both get 403. Where it listens beyond
 * loopback its names are known only from `allowedHosts`: without any, every Host is taken.
 */
export const guardAgainstPages = (app: FastifyInstance, { allowedHosts, corsOrigins, isGuarded }: PageGuard): void => {
  // Until it listens elsewhere, only what comes from this machine is expected.
  let isOnLoopback = true;
  app.addHook('onListen', async () => {
    isOnLoopback = app.addresses().every((bound) => typeof bound === 'string' || isLoopback(bound.address));
  });
  app.addHook('onRequest', ({ headers: { host, origin } }: FastifyRequest, _reply, done) => {
    if (!isGuarded()) return done();
    const isChecked = isOnLoopback || allowedHosts.length > 0;
    if (isChecked && !loopbackHost.test(host ?? '') && !allowedHosts.includes(nameIn(host ?? '')))
      throw new ServiceError(
        'FORBIDDEN_HOST',
        'Call this service as localhost, 127.0.0.1 or [::1], or by a name in TRIPACT_ALLOWED_HOSTS',
      );
    if (origin !== undefined && !corsOrigins.includes(origin) && !isOwnOrigin(origin, host))
      throw new ServiceError(
        'FORBIDDEN_ORIGIN',
        'Pages of other origins may not call this service, but those of TRIPACT_CORS_ORIGINS',
      );
    done();
  });
};

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
