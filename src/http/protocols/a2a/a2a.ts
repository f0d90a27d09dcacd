import { refuseRpc } from '../json-rpc.ts';
import type { Protocol } from '../port.ts';

/** Agent2Agent 1.0 over JSON-RPC, and 0.3 at the same address. */
export const a2a: Protocol = {
  routes: [
    { method: 'GET', url: '/.well-known/agent-card.json', handler: 'card', isPublic: true },
    { method: 'POST', url: '/a2a', handler: 'rpc' },
  ],
  bodyBytesMax: 1024 * 1024,
  packages: ['@a2a-js/sdk'],
  refuse: refuseRpc,
  load: () => import('./handlers.ts'),
};
