import type { Protocol } from '../port.ts';
import { errorBody } from './errors.ts';

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
