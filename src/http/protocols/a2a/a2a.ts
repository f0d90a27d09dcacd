import type { Protocol } from '../port.ts';
import { refuseRpc } from '../request.ts';

/** Agent2Agent 1.0 over JSON-RPC, and 0.3 at the same address. */
export const a2a: Protocol = {
  routes: { card: 'GET /.well-known/agent-card.json', rpc: 'POST /a2a' },
  isPublic: ['card'],
  bodyBytesMax: 1024 * 1024,
  packages: ['@a2a-js/sdk'],
  refuse: refuseRpc,
  load: () => import('./handlers.ts'),
};
