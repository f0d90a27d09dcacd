import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { CallbackState, CallbackView } from '../../../contracts/callback.ts';
import type { CallbackReader } from '../../engine/port.ts';
import type { HttpApp, RouteDependencies } from '../http-app.ts';
import { json, operations, Paging, page, pageOf, pageReply } from './schemas.ts';

const described = operations('callbacks');

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
    described('listCallbacks', 'What is to be posted, was delivered, or was given up, newest first', {
      description:
        'Those of the `callback_url` of your turns; for operators also those of the webhook of the service, of all owners. What ended is kept as long as `GET /v1/limits` says.',
      querystring: CallbackQuery,
      response: { 200: page('callbacks', CallbackView) },
    }),
    async (request) => {
      const { state } = request.query;
      const states = state === undefined ? CallbackState.options : [state];
      return pageReply('callbacks', await engine.callbacks(readerIn(request), states, pageOf(request.query)));
    },
  );

  app.post(
    '/v1/callbacks/:callback_id/resend',
    described('resendCallback', 'Post a callback now, whatever came of it before', {
      description:
        'Under the same `webhook-id`, and with as many tries as a new one. One that is pending is only posted sooner.',
      params: z.object({ callback_id: z.string().meta({ description: 'The id of the callback.' }) }),
      body: z.strictObject({}).nullish(),
      response: { 202: json('The callback, which is to be posted', CallbackView) },
    }),
    async (request, reply) =>
      reply.code(202).send(await engine.resendCallback(readerIn(request), request.params.callback_id)),
  );
};
