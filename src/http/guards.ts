import type { FastifyInstance, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import { ServiceError } from '../lib/errors.ts';

/** The names under which a service on loopback is really reached. */
const loopbackHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d{1,5})?$/i;

/** The name in a Host header, without its port and in lower case. */
const nameIn = (host: string): string => host.toLowerCase().replace(/:\d{1,5}$/, '');

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

/** Longest origin that is read, in characters: a host has 253. To read one of 16 KB, with characters that are written as `%`, takes 10 ms. */
const ORIGIN_CHARS_MAX = 300;

const isOwnOrigin = (origin: string, host: string | undefined): boolean =>
  origin.length <= ORIGIN_CHARS_MAX && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();

/** The refusal of a page that may not call. */
export const FOREIGN_PAGE = 'Pages of other origins may not call this service, but those of TRIPACT_CORS_ORIGINS';

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
      throw new ServiceError('FORBIDDEN_ORIGIN', FOREIGN_PAGE);
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
