import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CallbackState, CallbackView } from '../../../contracts/callback.ts';
import type { CallbackReader } from '../../engine/port.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, nextCursor, Paging, pageOf, problems } from './schemas.ts';

/** The query of `GET /v1/callbacks`. */
const CallbackQuery = Paging.extend({
  state: z
    .enum(CallbackState.options)
    .optional()
    .meta({ description: 'Only callbacks in this state; without it, in any.' }),
});

const readerIn = ({ owner, role }: Pick<FastifyRequest, 'owner' | 'role'>): CallbackReader => ({
  owner,
  isOperator: role === 'operator',
});

/** `GET /v1/callbacks`, and having one sent again (SPEC 11). */
export const addCallbackRoutes = (app: HttpApp, { engine }: Pick<RouteDependencies, 'engine'>): void => {
  app.get(
    '/v1/callbacks',
    {
      schema: {
        operationId: 'listCallbacks',
        summary: 'What is to be posted, was delivered, or was given up, newest first',
        description:
          'Those of the `callback_url` of your turns; for operators also those of the webhook of the service, of all owners. What ended is kept as long as `GET /v1/limits` says.',
        tags: ['callbacks'],
        querystring: CallbackQuery,
        response: {
          200: json('A page of callbacks', z.object({ callbacks: z.array(CallbackView), next: nextCursor })),
          ...problems,
        },
      },
    },
    async (request) => {
      const { state } = request.query;
      const states = state === undefined ? CallbackState.options : [state];
      const { items, next } = await engine.callbacks(readerIn(request), states, pageOf(request.query));
      return { callbacks: [...items], next };
    },
  );

  app.post(
    '/v1/callbacks/:callback_id/resend',
    {
      schema: {
        operationId: 'resendCallback',
        summary: 'Post a callback now, whatever came of it before',
        description:
          'Under the same `webhook-id`, and with as many tries as a new one. One that is pending is only posted sooner.',
        tags: ['callbacks'],
        params: z.object({ callback_id: z.string().meta({ description: 'The id of the callback.' }) }),
        body: z.strictObject({}).nullish(),
        response: { 202: json('The callback, which is to be posted', CallbackView), ...problems },
      },
    },
    async (request, reply) =>
      reply.code(202).send(await engine.resendCallback(readerIn(request), request.params.callback_id)),
  );
};
