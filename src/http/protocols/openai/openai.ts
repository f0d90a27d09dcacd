import type { FastifyReply } from 'fastify';
import type { Problem } from '../../../../contracts/http.ts';
import type { Protocol } from '../port.ts';

/** OpenAI's kinds of errors, by status; any other is the service's fault or the request's. */
const kinds: Record<number, string> = { 401: 'authentication_error', 403: 'permission_error', 429: 'rate_limit_error' };

/** A problem as OpenAI's API says it. */
export const errorBody = ({ type, status, detail }: Problem) => ({
  error: {
    message: detail,
    type: kinds[status] ?? (status >= 500 ? 'server_error' : 'invalid_request_error'),
    param: null,
    code: type.slice(type.lastIndexOf('/') + 1).replaceAll('-', '_'),
  },
});

/** Sends a refusal that OpenAI's API has a code of its own for. */
export const refuseWith = (reply: FastifyReply, status: number, message: string, param: string, code: string) =>
  reply.code(status).send({ error: { message, type: 'invalid_request_error', param, code } });

/** OpenAI's API, as far as chat front ends use it. */
export const openai: Protocol = {
  routes: {
    models: 'GET /v1/models',
    model: 'GET /v1/models/:id',
    chatCompletions: 'POST /v1/chat/completions',
    createConversation: 'POST /v1/conversations',
    conversationItems: 'GET /v1/conversations/:id/items',
    createResponse: 'POST /v1/responses',
    response: 'GET /v1/responses/:id',
    inputItems: 'GET /v1/responses/:id/input_items',
    deleteResponse: 'DELETE /v1/responses/:id',
    cancelResponse: 'POST /v1/responses/:id/cancel',
  },
  refuse: (problem, _request, reply) => reply.code(problem.status).send(errorBody(problem)),
  load: () => import('./handlers.ts'),
};
