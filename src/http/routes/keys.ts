import { z } from 'zod';
import { KeyRequest, ListedKey, NewKey, NO_QUOTA, OwnerName, Quota, QuotaChange } from '../../../contracts/access.ts';
import { issueKey, listKeys } from '../../access/keys.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, nothing, operations, Paging, page, pageOf, pageReply } from './schemas.ts';

const described = operations('keys', { role: 'operator' });

/** `/v1/keys` and `/v1/quotas`: who may call and how much, for operators (SPEC 6, 11). The first key is not made here: whoever came first would own the service. */
export const addKeyRoutes = (app: HttpApp, { access, accessStore, now }: RouteDependencies): void => {
  app.get(
    '/v1/keys',
    described('listKeys', 'The keys that may call, without the keys themselves', {
      description: 'In the order in which they were made.',
      querystring: Paging,
      response: { 200: page('keys', ListedKey) },
    }),
    async ({ query }) => pageReply('keys', await listKeys(accessStore, pageOf(query), now())),
  );

  app.post(
    '/v1/keys',
    described('createKey', 'Make a key', {
      description:
        'The reply alone has the key: nobody can be shown it again. It works at once. What it says of a quota is of the owner, whatever key it shows.',
      body: KeyRequest,
      response: { 201: json('The key, this once', NewKey) },
    }),
    async ({ body }, reply) => {
      if (!access.isRequired())
        throw new ServiceError(
          'OPERATOR_REQUIRED',
          'The first key is made beside the data: tripact keys add <owner> --role operator',
        );
      return reply.code(201).send(await issueKey(accessStore, body, now()));
    },
  );

  app.delete(
    '/v1/keys/:key_id',
    described('revokeKey', 'Revoke a key at once', {
      description: 'Nobody is let in by it any more.',
      params: z.object({ key_id: z.string().meta({ description: 'The id of the key.' }) }),
      response: { 204: nothing('It is revoked') },
    }),
    async ({ params: { key_id } }, reply) => {
      if (!(await accessStore.keys.revoke(key_id)))
        throw new ServiceError('KEY_NOT_FOUND', 'There is no key of that id');
      return reply.code(204).send(null);
    },
  );

  const params = z.object({ owner: OwnerName.meta({ description: 'Whose quota it is.' }) });

  app.get(
    '/v1/quotas/:owner',
    described('getQuota', 'What an owner may use a day', {
      description: 'null: any number.',
      params,
      response: { 200: json('The quota', Quota) },
    }),
    async ({ params: { owner } }) => (await accessStore.quotas.of(owner)) ?? NO_QUOTA,
  );

  app.patch(
    '/v1/quotas/:owner',
    described('updateQuota', 'Change what an owner may use a day', {
      description: 'What is not there stays as it is; null takes the quota away. It counts at once.',
      params,
      body: QuotaChange,
      response: { 200: json('The quota', Quota) },
    }),
    async ({ params: { owner }, body }) => accessStore.quotas.set(owner, body, now()),
  );
};
