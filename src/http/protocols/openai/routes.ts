import type { Protocol } from '../port.ts';

/** OpenAI's API, as far as chat front ends use it. */
export const openai: Protocol = {
  routes: [
    { method: 'GET', url: '/v1/models', handler: 'models' },
    { method: 'POST', url: '/v1/chat/completions', handler: 'chatCompletions' },
  ],
  load: () => import('./openai.ts'),
};
