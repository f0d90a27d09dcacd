import { z } from 'zod';
import { KeyRequest, ListedKey, NewKey, NO_QUOTA, OwnerName, Quota, QuotaChange } from '../../../contracts/access.ts';
import { issueKey } from '../../access/issue-key.ts';
import { listKeys } from '../../access/list-keys.ts';
import { ServiceError } from '../../lib/errors.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, nextCursor, nothing, Paging, pageOf, problems } from './schemas.ts';

/** `/v1/keys` and `/v1/quotas`: who may call and how much, for operators (SPEC 6, 11). The first key is not made here: whoever came first would own the service. */
export const addKeyRoutes = (app: HttpApp, { access, accessStore, now }: RouteDependencies): void => {
  const config = { role: 'operator' } as const;

  app.get(
    '/v1/keys',
    {
      config,
      schema: {
        operationId: 'listKeys',
        summary: 'The keys that may call, without the keys themselves',
        description: 'In the order in which they were made.',
        tags: ['keys'],
        querystring: Paging,
        response: {
          200: json('A page of keys', z.object({ keys: z.array(ListedKey), next: nextCursor })),
          ...problems,
        },
      },
    },
    async ({ query }) => {
      const { items, next } = await listKeys(accessStore, pageOf(query), now());
      return { keys: [...items], next };
    },
  );

  app.post(
    '/v1/keys',
    {
      config,
      schema: {
        operationId: 'createKey',
        summary: 'Make a key',
        description:
          'The reply alone has the key: nobody can be shown it again. It works at once. What it says of a quota is of the owner, whatever key it shows.',
        tags: ['keys'],
        body: KeyRequest,
        response: { 201: json('The key, this once', NewKey), ...problems },
      },
    },
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
    {
      config,
      schema: {
        operationId: 'revokeKey',
        summary: 'Revoke a key at once',
        description: 'Nobody is let in by it any more.',
        tags: ['keys'],
        params: z.object({ key_id: z.string().meta({ description: 'The id of the key.' }) }),
        response: { 204: nothing('It is revoked'), ...problems },
      },
    },
    async ({ params: { key_id } }, reply) => {
      if (!(await accessStore.keys.revoke(key_id)))
        throw new ServiceError('KEY_NOT_FOUND', 'There is no key of that id');
      return reply.code(204).send(null);
    },
  );

  const params = z.object({ owner: OwnerName.meta({ description: 'Whose quota it is.' }) });

  app.get(
    '/v1/quotas/:owner',
    {
      config,
      schema: {
        operationId: 'getQuota',
        summary: 'What an owner may use a day',
        description: 'null: any number.',
        tags: ['keys'],
        params,
        response: { 200: json('The quota', Quota), ...problems },
      },
    },
    async ({ params: { owner } }) => (await accessStore.quotas.of(owner)) ?? NO_QUOTA,
  );

  app.patch(
    '/v1/quotas/:owner',
    {
      config,
      schema: {
        operationId: 'updateQuota',
        summary: 'Change what an owner may use a day',
        description: 'What is not there stays as it is; null takes the quota away. It counts at once.',
        tags: ['keys'],
        params,
        body: QuotaChange,
        response: { 200: json('The quota', Quota), ...problems },
      },
    },
    async ({ params: { owner }, body }) => accessStore.quotas.set(owner, body, now()),
  );
};
