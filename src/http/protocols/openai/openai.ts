import type { Protocol } from '../port.ts';
import { errorBody } from './errors.ts';

/** OpenAI's API, as far as chat front ends use it. */
export const openai: Protocol = {
  routes: [
    { method: 'GET', url: '/v1/models', handler: 'models' },
    { method: 'GET', url: '/v1/models/:id', handler: 'model' },
    { method: 'POST', url: '/v1/chat/completions', handler: 'chatCompletions' },
    { method: 'POST', url: '/v1/conversations', handler: 'createConversation' },
    { method: 'POST', url: '/v1/responses', handler: 'createResponse' },
    { method: 'GET', url: '/v1/responses/:id', handler: 'response' },
    { method: 'DELETE', url: '/v1/responses/:id', handler: 'deleteResponse' },
    { method: 'POST', url: '/v1/responses/:id/cancel', handler: 'cancelResponse' },
  ],
  refuse: (problem, _request, reply) => reply.code(problem.status).send(errorBody(problem)),
  load: () => import('./handlers.ts'),
};
