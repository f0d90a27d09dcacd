import type { FastifyInstance } from 'fastify';
import { KeyRequest, ListedKey, NewKey, NO_QUOTA, Quota, QuotaChange } from '../../../contracts/access.ts';
import { assertPriced, issueKey, listKeys } from '../../access/keys.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { RouteParts } from './port.ts';
import { routesOf } from './schemas.ts';

type Parts = Pick<RouteParts, 'access' | 'accessStore' | 'currency' | 'now'>;

/**
 * `/v1/keys` and `/v1/quotas`: who may call and how much they may use, for operators (SPEC 6, 11). The first key cannot
 * be made here: whoever called first would own the service.
 */
export const addKeyRoutes = (app: FastifyInstance, { access, accessStore, currency, now }: Parts): void => {
  const { route, list } = routesOf(app, 'keys', { role: 'operator' });

  list('/v1/keys', 'listKeys', {
    summary: 'The keys, without their secrets',
    description: 'In the order of their creation.',
    items: { keys: ListedKey },
    read: (_request, page) => listKeys(accessStore, page, now()),
  });

  route('POST /v1/keys', 'createKey', {
    summary: 'Make a key',
    description:
      'Only this reply contains the key; it cannot be shown again. It works at once. Quota fields apply to the owner, whichever of its keys is used.',
    body: KeyRequest,
    status: 201,
    returns: NewKey,
    handle: async ({ body }) => {
      if (!access.isRequired())
        throw new ServiceError(
          'OPERATOR_REQUIRED',
          'Make the first key on the command line: tripact keys add <owner> --role operator',
        );
      assertPriced(body, currency);
      return issueKey(accessStore, body, now());
    },
  });

  route('DELETE /v1/keys/:key_id', 'revokeKey', {
    summary: 'Revoke a key at once',
    description: 'Requests with it are refused from now on.',
    handle: async ({ params }) => {
      if (!(await accessStore.keys.revoke(params.key_id)))
        throw new ServiceError('KEY_NOT_FOUND', 'There is no key with that id');
    },
  });

  route('GET /v1/quotas/:owner', 'getQuota', {
    summary: 'What an owner may use a day',
    description: 'null: unlimited.',
    returns: Quota,
    handle: async ({ params }) => (await accessStore.quotas.of(params.owner)) ?? NO_QUOTA,
  });

  route('PATCH /v1/quotas/:owner', 'updateQuota', {
    summary: 'Change what an owner may use a day',
    description:
      'Absent fields stay unchanged; null removes a limit. Takes effect at once. `cost_per_day` is in the currency of the prices; 400 without prices.',
    body: QuotaChange,
    returns: Quota,
    handle: async ({ params, body }) => {
      assertPriced(body, currency);
      return accessStore.quotas.set(params.owner, body, now());
    },
  });
};
