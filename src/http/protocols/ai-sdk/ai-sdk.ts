import type { Protocol } from '../port.ts';

/** The AI SDK's UI message stream, for pages with `useChat`. */
export const aiSdk: Protocol = {
  routes: {
    chat: 'POST /api/chat',
    resume: 'GET /api/chat/:id/stream',
    last: 'GET /api/chat/:id/last',
    stop: 'POST /api/chat/:id/stop',
  },
  // The client shows a page the whole body of a refusal as the error's message.
  refuse: ({ status, detail }, _request, reply) => reply.code(status).type('text/plain; charset=utf-8').send(detail),
  load: () => import('./handlers.ts'),
};
