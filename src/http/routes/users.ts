import type { FastifyInstance } from 'fastify';
import { AnyOwner, UserView } from '../../../contracts/access.ts';
import { listUsers } from '../../access/keys.ts';
import { ownerOfUser } from '../../access/names.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { SessionsApi } from '../../runtime/port.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

interface Parts extends Pick<RouteParts, 'accessStore' | 'now' | 'signIns'> {
  engine: Pick<SessionsApi, 'removeOwner'>;
}

/** Adds `/v1/users`: the users of front ends, for operators (SPEC 11). */
export const addUserRoutes = (app: FastifyInstance, { engine, accessStore, now, signIns }: Parts): void => {
  routesOf(app, 'users', { role: 'operator' }).list('/v1/users', 'listUsers', {
    summary: 'The users of front ends for whom anything is stored',
    description: 'By name. A page may have fewer users than its limit; only `next` says whether it is the last one.',
    items: { users: UserView },
    query: {
      cursor: AnyOwner.optional().meta({ description: 'The `next` of the page before; without it, the first page.' }),
    },
    read: (_request, page) => listUsers(accessStore, page, now()),
  });

  routesOf(app, 'users', { role: 'operator', isOfUser: true }).route('DELETE /v1/users/:user', 'deleteUser', {
    summary: 'Remove a user of a front end and everything stored for them',
    description:
      'Sessions with their folders, todos, schedule, memory, sign-ins, usage and quota. Running work is aborted. A user who comes back starts anew.',
    handle: async ({ params }) => {
      const owner = ownerOfUser(params.user);
      if (owner !== null) await signIns?.revokeAll(owner);
      if (owner === null || !(await engine.removeOwner(owner)))
        throw new ServiceError('USER_NOT_FOUND', 'Nothing is stored for a front end user with that name');
    },
  });
};
