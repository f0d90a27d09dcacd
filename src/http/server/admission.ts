import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Role } from '../../../contracts/access.ts';
import { frontEndUser, ownerOfUser } from '../../access/names.ts';
import type { AccessControl } from '../../access/port.ts';
import { ServiceError } from '../../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the request speaks for: the caller's owner, the user that a front end names, or `local` without authentication (SPEC 8, 11). */
    owner: string;
    /** The caller's role; without authentication an operator's. */
    role: Role;
  }
  interface FastifyContextConfig {
    /** Who may call the route; everybody who is let in by default. */
    role?: 'operator';
    /** The route of an operator is of the user in its address, and is served at that user's home. */
    isOfUser?: boolean;
    /** The route says nothing of any user: a front end need name none. */
    isOfNobody?: boolean;
  }
}

/** The caller's credentials: a bearer token, or a key in `X-Api-Key`. */
export const shownBy = ({ headers }: FastifyRequest): string | null => {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : null);
};

/** Where a front end names the user that a request is of: ours, and what Open WebUI sends to every service. */
const USER_HEADERS = ['x-tripact-user', 'x-openwebui-user-id'] as const;

const USER_CHARS_MAX = 256;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a header, which Node reads as Latin-1: what is UTF-8 is taken as that. */
const headerText = (value: string): string => {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
};

/** A place for a user that the front end has not filled in, as LibreChat sends `{{LIBRECHAT_USER_ID}}`: all its users would be one. */
const PLACEHOLDER = /^\{\{.*\}\}$/;

/** The user that a front end's request names. Throws `USER_REQUIRED` where it is not exactly one. */
const userIn = ({ headers }: FastifyRequest): string => {
  const named = new Set(USER_HEADERS.flatMap((name) => headers[name] ?? []).map(headerText));
  const [user = ''] = named;
  const isUser = user.length > 0 && user.length <= USER_CHARS_MAX && !PLACEHOLDER.test(user);
  if (named.size === 1 && isUser) return user;
  throw new ServiceError(
    'USER_REQUIRED',
    `This key is a front end's: send the user of each request in the header X-Tripact-User, one, of 1 to ${USER_CHARS_MAX} characters`,
  );
};

/** Refuses a user that the caller may not speak for: taken for the caller, the data of all of a front end's users would be one. */
const refuseUser = ({ headers }: FastifyRequest): void => {
  if (headers['x-tripact-user'] === undefined) return;
  throw new ServiceError(
    'INVALID_REQUEST',
    'Only the key of a front end speaks for users: make one with "tripact keys add <owner> --role front_end", or leave X-Tripact-User out',
  );
};

/** Requires callers of the routes of `app` to show who they are, where that is required, and keeps all but operators out of operators' routes. */
export const authenticate = (app: FastifyInstance, access: AccessControl): void => {
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!access.isRequired()) {
      refuseUser(request);
      request.role = 'operator';
      return;
    }
    const shown = shownBy(request);
    const caller = shown === null ? null : await access.identify(shown);
    if (caller === null) {
      reply.header('www-authenticate', 'Bearer realm="tripact"');
      throw new ServiceError('UNAUTHORIZED', 'Send a valid key as "Authorization: Bearer <key>"');
    }
    request.role = caller.role;
    if (request.routeOptions.config.role === 'operator' && caller.role !== 'operator')
      throw new ServiceError('OPERATOR_REQUIRED', 'This is for operators; ask one, or send a key of the role operator');
    const isFrontEnd = caller.role === 'front_end';
    if (!isFrontEnd) refuseUser(request);
    const isUsers = isFrontEnd && request.routeOptions.config.isOfNobody !== true;
    request.owner = isUsers ? frontEndUser(caller.owner, userIn(request)) : caller.owner;
  });
};

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3})$/i;

/** A Host without its port that no other machine can be reached by. */
const isLoopbackHost = (host: string): boolean => {
  const address = /^\[(.+)\]$/.exec(host)?.[1];
  return address === undefined ? LOOPBACK_NAME.test(host) : isLoopback(address);
};

/** Keeps other sites' pages out while no key is required, by their Host (DNS rebinding) and their Origin: 403. Beyond loopback every Host is taken unless `allowedHosts` has some. */
export const guardAgainstPages = (
  app: FastifyInstance,
  access: AccessControl,
  allowedHosts: readonly string[],
  corsOrigins: readonly string[],
): void => {
  // Until it listens elsewhere, only what comes from this machine is expected.
  let isOnLoopback = true;
  app.addHook('onListen', async () => {
    isOnLoopback = app.addresses().every((bound) => typeof bound === 'string' || isLoopback(bound.address));
  });
  app.addHook('onRequest', async ({ headers: { host = '', origin }, socket }: FastifyRequest) => {
    if (access.isRequired()) return;
    const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
    const isAllowed = allowedHosts.includes(name);
    // Embedded, it doesn't know where it listens: a caller from elsewhere may write any Host.
    const isLocal = isLoopbackHost(name) && (!isOnLoopback || isLoopback(socket.remoteAddress ?? ''));
    const isAnyTaken = !isOnLoopback && allowedHosts.length === 0;
    if (!isAllowed && !isLocal && !isAnyTaken)
      throw new ServiceError(
        'FORBIDDEN_HOST',
        'Call this service as localhost, 127.0.0.1 or [::1], or by a name in TRIPACT_ALLOWED_HOSTS',
      );
    const isOwn = origin === undefined || URL.parse(origin)?.host === host.toLowerCase();
    if (!isOwn && !corsOrigins.includes(origin))
      throw new ServiceError(
        'FORBIDDEN_ORIGIN',
        'Pages of other origins may not call this service, but those of TRIPACT_CORS_ORIGINS',
      );
  });
};

const PREFLIGHT_SECONDS = 600;

const EXPOSED_HEADERS = ['location', 'preference-applied', 'retry-after', 'www-authenticate', 'x-request-id'];

/** Lets the pages of these origins call and read the replies (CORS); without any it adds nothing. No cookie lets anybody in. */
export const allowOrigins = async (app: FastifyInstance, origins: readonly string[]): Promise<void> => {
  if (origins.length === 0) return;
  await app.register(import('@fastify/cors'), {
    origin: (origin, callback) => callback(null, origin !== undefined && origins.includes(origin)),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    // An OPTIONS that is none is answered as one, and not by a text of the library.
    strictPreflight: false,
  });
};

/** The owner at whose home a request is served; null: any node serves it. */
export const ownerServed = ({ owner, params, routeOptions }: FastifyRequest): string | null => {
  const { role, isOfUser = false } = routeOptions.config;
  if (isOfUser) return ownerOfUser((params as { user: string }).user);
  return role === 'operator' ? null : owner;
};
