import type { Protocol } from '../port.ts';

/** The AI SDK's UI message stream, for pages with `useChat`. */
export const aiSdk: Protocol = {
  routes: [
    { method: 'POST', url: '/api/chat', handler: 'chat' },
    { method: 'GET', url: '/api/chat/:id/stream', handler: 'resume' },
    { method: 'GET', url: '/api/chat/:id/last', handler: 'last' },
    { method: 'POST', url: '/api/chat/:id/stop', handler: 'stop' },
  ],
  load: () => import('./ai-sdk.ts'),
};
