import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import ipaddr from 'ipaddr.js';
import type { Role } from '../../../contracts/access.ts';
import type { Decider } from '../../../contracts/approver.ts';
import { type By, NamedClient, type Via } from '../../../contracts/by.ts';
import { LOCAL_OWNER } from '../../../contracts/ids.ts';
import { frontEndUser, nameOf, ownerOfUser } from '../../access/names.ts';
import type { AccessControl, Caller } from '../../access/port.ts';
import { ServiceError } from '../../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /**
     * Whose data the request works with: the caller's owner, the user that a front end names, or `local` without
     * authentication (SPEC 8, 11).
     */
    owner: string;
    /** The caller's role; `operator` without authentication. */
    role: Role;
    /** Its credentials, and the way it arrived. */
    by: By;
    /** The caller as one who decides about actions: without authentication, anybody. */
    decider: Decider;
  }
  interface FastifyContextConfig {
    /** The route's way; default: HTTP, or the client's claim. */
    via?: Via;
    /** Who may call the route; default: any authenticated caller. */
    role?: 'operator';
    /** An operator's route about the user in its address. It is served at that user's home. */
    isOfUser?: boolean;
    /** It is about an action of anybody's task. It is served at the home of that task's owner. */
    isOfApproval?: boolean;
    /** The route concerns no user, so a front end need not name one. */
    isOfNobody?: boolean;
    /** Where the route is described as a protected resource, for clients that look for its issuer (RFC 9728). */
    resourceMetadata?: string;
  }
}

/** The caller's credentials: a bearer token, or a key in `X-Api-Key`. */
export const shownBy = ({ headers }: FastifyRequest): string | null => {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : null);
};

/** Headers that name a front end's user: our own, and the one that Open WebUI sends to every service. */
const USER_HEADERS = ['x-tripact-user', 'x-openwebui-user-id'] as const;

/** The headers that identify a request's caller. */
export const credentialHeaders = ({ headers }: FastifyRequest): Record<string, string | string[]> =>
  Object.fromEntries(
    ['authorization', 'x-api-key', ...USER_HEADERS].flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, value]];
    }),
  );

const USER_CHARS_MAX = 256;

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of a header. Node decodes headers as Latin-1; valid UTF-8 is decoded as UTF-8. */
const headerText = (value: string): string => {
  try {
    return utf8.decode(Buffer.from(value, 'latin1'));
  } catch {
    return value;
  }
};

/**
 * An unfilled placeholder, such as LibreChat's `{{LIBRECHAT_USER_ID}}`. As a user's name it would stand for all users.
 */
const PLACEHOLDER = /^\{\{.*\}\}$/;

/** The user that a front end's request names. Throws `USER_REQUIRED` unless there is exactly one. */
const userIn = ({ headers }: FastifyRequest): string => {
  const named = new Set(USER_HEADERS.flatMap((name) => headers[name] ?? []).map(headerText));
  const [user = ''] = named;
  const isUser = user.length > 0 && user.length <= USER_CHARS_MAX && !PLACEHOLDER.test(user);
  if (named.size === 1 && isUser) return user;
  throw new ServiceError(
    'USER_REQUIRED',
    `This key belongs to a front end: name one user in the header X-Tripact-User of each request, in 1 to ${USER_CHARS_MAX} characters`,
  );
};

/**
 * Refuses a user header from a caller that may not name users: ignoring it would merge the data of all users of a front
 * end.
 */
const refuseUser = ({ headers }: FastifyRequest): void => {
  if (headers['x-tripact-user'] === undefined) return;
  throw new ServiceError(
    'INVALID_REQUEST',
    'Only the key of a front end may name users: make one with "tripact keys add <owner> --role front_end", or leave X-Tripact-User out',
  );
};

/** The way a request arrived: its route's protocol, or the client's claim in `X-Tripact-Client`. */
const viaOf = ({ headers, routeOptions }: FastifyRequest): Via =>
  routeOptions.config.via ?? NamedClient.safeParse(headers['x-tripact-client']).data ?? 'http';

/** The credentials of a request; `user` is the user that a front end names. */
const byOf = (
  request: FastifyRequest,
  { owner, key_id, subject }: Omit<Caller, 'role' | 'roles'>,
  user: string | null,
): By => ({
  owner: user === null ? owner : frontEndUser(owner, user),
  ...(key_id !== undefined && { key_id }),
  ...(subject !== undefined && { subject }),
  via: viaOf(request),
  ...(user !== null && { user: nameOf(user) }),
});

/**
 * Requires callers of the routes of `app` to authenticate, where authentication is configured, and requires operators
 * for operators' routes.
 */
export const authenticate = (app: FastifyInstance, access: AccessControl): void => {
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!access.isRequired()) {
      refuseUser(request);
      request.role = 'operator';
      request.by = byOf(request, { owner: LOCAL_OWNER }, null);
      request.decider = 'anybody';
      return;
    }
    const shown = shownBy(request);
    const caller = shown === null ? null : await access.identify(shown);
    if (caller === null) {
      const { resourceMetadata: path } = request.routeOptions.config;
      const metadata =
        path === undefined ? '' : `, resource_metadata="${request.protocol}://${request.host}${request.prefix}${path}"`;
      reply.header('www-authenticate', `Bearer realm="tripact"${metadata}`);
      throw new ServiceError('UNAUTHORIZED', 'Send a valid key as "Authorization: Bearer <key>"');
    }
    request.role = caller.role;
    if (request.routeOptions.config.role === 'operator' && caller.role !== 'operator')
      throw new ServiceError(
        'OPERATOR_REQUIRED',
        'This is for operators; ask one, or send a key with the role operator',
      );
    const isFrontEnd = caller.role === 'front_end';
    if (!isFrontEnd) refuseUser(request);
    const isUsers = isFrontEnd && request.routeOptions.config.isOfNobody !== true;
    request.by = byOf(request, caller, isUsers ? userIn(request) : null);
    request.owner = request.by.owner;
    // The roles of a front end's key would be those of all its users.
    request.decider = { owner: request.owner, roles: isFrontEnd ? [] : caller.roles };
  });
};

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';

const LOOPBACK_NAME = /^(localhost|127(\.\d{1,3}){3})$/i;

/** A Host, without its port, that no other machine can be reached by. */
const isLoopbackHost = (host: string): boolean => {
  const address = /^\[(.+)\]$/.exec(host)?.[1];
  return address === undefined ? LOOPBACK_NAME.test(host) : isLoopback(address);
};

/**
 * Refuses other sites' pages with 403 while no key is required, by Host (DNS rebinding) and Origin. Without
 * `allowedHosts` it accepts every Host when the service listens beyond loopback.
 */
export const guardAgainstPages = (
  app: FastifyInstance,
  access: AccessControl,
  allowedHosts: readonly string[],
  corsOrigins: readonly string[],
): void => {
  // Until it listens elsewhere, only requests from this machine are expected.
  let isOnLoopback = true;
  app.addHook('onListen', async () => {
    isOnLoopback = app.addresses().every((bound) => typeof bound === 'string' || isLoopback(bound.address));
  });
  app.addHook('onRequest', async ({ headers: { host = '', origin }, socket }: FastifyRequest) => {
    if (access.isRequired()) return;
    const name = host.toLowerCase().replace(/:\d{1,5}$/, '');
    const isAllowed = allowedHosts.includes(name);
    // Embedded in another program, it does not know where it listens: a remote caller can send any Host.
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
        'Pages of other origins may call this service only if TRIPACT_CORS_ORIGINS lists their origin',
      );
  });
};

const PREFLIGHT_SECONDS = 600;

const EXPOSED_HEADERS = ['location', 'preference-applied', 'retry-after', 'www-authenticate', 'x-request-id'];

/**
 * Lets pages of these origins call the API and read its replies (CORS). Does nothing without origins. Cookies never
 * authenticate anybody.
 */
export const allowOrigins = async (app: FastifyInstance, origins: readonly string[]): Promise<void> => {
  if (origins.length === 0) return;
  await app.register(import('@fastify/cors'), {
    origin: (origin, callback) => callback(null, origin !== undefined && origins.includes(origin)),
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    exposedHeaders: EXPOSED_HEADERS,
    maxAge: PREFLIGHT_SECONDS,
    // Requests without CORS headers get the API's own reply to OPTIONS, not a text of the library.
    strictPreflight: false,
  });
};

/**
 * The owner at whose home node a request is served; null: any node serves it. `approvalOwner` finds whose task an
 * approval is of.
 */
export const ownerServed = async (
  { owner, params, routeOptions }: FastifyRequest,
  approvalOwner: (id: string) => Promise<string | null>,
): Promise<string | null> => {
  const { role, isOfUser = false, isOfApproval = false } = routeOptions.config;
  if (isOfApproval) return approvalOwner((params as { approval_id: string }).approval_id);
  if (isOfUser) return ownerOfUser((params as { user: string }).user);
  return role === 'operator' ? null : owner;
};
