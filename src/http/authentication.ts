import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Role } from '../../contracts/access.ts';
import { LOCAL_OWNER } from '../../contracts/ids.ts';
import type { AccessControl } from '../access/port.ts';
import { ServiceError } from '../lib/errors.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** Whom the request speaks for: the caller's owner, or `local` without authentication (SPEC 8). */
    owner: string;
    /** What the caller may do; without authentication everything. */
    role: Role;
  }
  interface FastifyContextConfig {
    /** Who may call the route; everybody who is let in by default. */
    role?: 'operator';
  }
}

/** What the caller shows as its own: a bearer token, or a key in `X-Api-Key`. */
export const shownBy = ({ headers }: FastifyRequest): string | null => {
  const bearer = /^Bearer +(\S+)$/i.exec(headers.authorization ?? '')?.[1];
  const header = headers['x-api-key'];
  return bearer ?? (typeof header === 'string' ? header : null);
};

/** Whom a request speaks for until it has been authenticated: nobody who may do anything special. */
export const decorateCallers = (app: FastifyInstance): void => {
  app.decorateRequest('owner', LOCAL_OWNER);
  app.decorateRequest('role', 'user');
};

/** Requires callers of the routes of `app` to show who they are, where that is required, and keeps all but operators out of operators' routes. */
export const authenticate = (app: FastifyInstance, access: AccessControl): void => {
  app.addHook('onRequest', async (request: FastifyRequest, reply: FastifyReply) => {
    if (!access.isRequired()) {
      request.role = 'operator';
      return;
    }
    const shown = shownBy(request);
    const caller = shown === null ? null : await access.identify(shown);
    if (caller === null) {
      reply.header('www-authenticate', 'Bearer realm="tripact"');
      throw new ServiceError('UNAUTHORIZED', 'Send a valid key as "Authorization: Bearer <key>"');
    }
    request.owner = caller.owner;
    request.role = caller.role;
    if (request.routeOptions.config.role === 'operator' && caller.role !== 'operator')
      throw new ServiceError('OPERATOR_REQUIRED', 'This is for operators; ask one, or send a key of the role operator');
  });
};
