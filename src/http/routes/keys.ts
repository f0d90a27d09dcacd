import type { FastifyInstance } from 'fastify';
import { KeyRequest, ListedKey, NewKey, NO_QUOTA, Quota, QuotaChange } from '../../../contracts/access.ts';
import { issueKey, listKeys } from '../../access/keys.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

type Parts = Pick<RouteParts, 'access' | 'accessStore' | 'now'>;

/** `/v1/keys` and `/v1/quotas`: who may call and how much, for operators (SPEC 6, 11). The first key is not made here: whoever came first would own the service. */
export const addKeyRoutes = (app: FastifyInstance, { access, accessStore, now }: Parts): void => {
  const { route, list } = routesOf(app, 'keys', { role: 'operator' });

  list('/v1/keys', 'listKeys', {
    summary: 'The keys that may call, without the keys themselves',
    description: 'In the order in which they were made.',
    items: { keys: ListedKey },
    read: (_request, page) => listKeys(accessStore, page, now()),
  });

  route('POST /v1/keys', 'createKey', {
    summary: 'Make a key',
    description:
      'The reply alone has the key: nobody can be shown it again. It works at once. What it says of a quota is of the owner, whatever key it shows.',
    body: KeyRequest,
    status: 201,
    returns: NewKey,
    handle: async ({ body }) => {
      if (!access.isRequired())
        throw new ServiceError(
          'OPERATOR_REQUIRED',
          'The first key is made beside the data: tripact keys add <owner> --role operator',
        );
      return issueKey(accessStore, body, now());
    },
  });

  route('DELETE /v1/keys/:key_id', 'revokeKey', {
    summary: 'Revoke a key at once',
    description: 'Nobody is let in by it any more.',
    handle: async ({ params }) => {
      if (!(await accessStore.keys.revoke(params.key_id)))
        throw new ServiceError('KEY_NOT_FOUND', 'There is no key of that id');
    },
  });

  route('GET /v1/quotas/:owner', 'getQuota', {
    summary: 'What an owner may use a day',
    description: 'null: any number.',
    returns: Quota,
    handle: async ({ params }) => (await accessStore.quotas.of(params.owner)) ?? NO_QUOTA,
  });

  route('PATCH /v1/quotas/:owner', 'updateQuota', {
    summary: 'Change what an owner may use a day',
    description: 'What is not there stays as it is; null takes the quota away. It counts at once.',
    body: QuotaChange,
    returns: Quota,
    handle: async ({ params, body }) => accessStore.quotas.set(params.owner, body, now()),
  });
};
