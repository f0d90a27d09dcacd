import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { CallbackState, CallbackView } from '../../../contracts/callback.ts';
import type { CallbackReader, SessionsApi } from '../../runtime/port.ts';
import { routesOf } from './schemas.ts';

const readerIn = ({ owner, role }: { owner: string; role: string }): CallbackReader => ({
  owner,
  isOperator: role === 'operator',
});

interface Parts {
  engine: Pick<SessionsApi, 'callbacks' | 'resendCallback'>;
}

/** `GET /v1/callbacks`, and sending one again (SPEC 11). */
export const addCallbackRoutes = (app: FastifyInstance, { engine }: Parts): void => {
  const { route, list } = routesOf(app, 'callbacks');

  list('/v1/callbacks', 'listCallbacks', {
    summary: 'Callbacks that are pending, delivered or given up, newest first',
    description:
      "Callbacks for the `callback_url` of your turns; for operators also those of the service's webhook, for all owners. Finished ones are kept as long as `GET /v1/limits` says.",
    items: { callbacks: CallbackView },
    query: {
      state: z
        .enum(CallbackState.options)
        .optional()
        .meta({ description: 'Only callbacks in this state; default: any state.' }),
    },
    read: (request, page) => {
      const { state } = request.query;
      return engine.callbacks(readerIn(request), state === undefined ? CallbackState.options : [state], page);
    },
  });

  route('POST /v1/callbacks/:callback_id/resend', 'resendCallback', {
    summary: 'Post a callback now, whatever its state',
    description:
      'With the same `webhook-id`, and with as many attempts as a new one. A pending callback is only posted sooner.',
    body: z.strictObject({}).nullish(),
    status: 202,
    returns: CallbackView,
    handle: (request) => engine.resendCallback(readerIn(request), request.params.callback_id),
  });
};
