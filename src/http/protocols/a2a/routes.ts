import type { Protocol } from '../port.ts';

/** Agent2Agent 1.0 over JSON-RPC, and 0.3 at the same address. */
export const a2a: Protocol = {
  routes: [
    { method: 'GET', url: '/.well-known/agent-card.json', handler: 'card', isPublic: true },
    { method: 'POST', url: '/a2a', handler: 'rpc' },
  ],
  packages: ['@a2a-js/sdk'],
  loadFirst: [() => import('@a2a-js/sdk'), () => import('@a2a-js/sdk/server')],
  load: () => import('./a2a.ts'),
};
