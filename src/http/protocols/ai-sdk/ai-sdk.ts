import type { Protocol } from '../port.ts';

/** The AI SDK's UI message stream, for pages with `useChat`. */
export const aiSdk: Protocol = {
  routes: [
    { method: 'POST', url: '/api/chat', handler: 'chat' },
    { method: 'GET', url: '/api/chat/:id/stream', handler: 'resume' },
    { method: 'GET', url: '/api/chat/:id/last', handler: 'last' },
    { method: 'POST', url: '/api/chat/:id/stop', handler: 'stop' },
  ],
  // The client shows a page the whole body of a refusal as the error's message.
  refuse: ({ status, detail }, _request, reply) => reply.code(status).type('text/plain; charset=utf-8').send(detail),
  load: () => import('./handlers.ts'),
};
