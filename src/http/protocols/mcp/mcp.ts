import type { Protocol } from '../port.ts';
import { refuseRpc } from '../request.ts';

/** The Model Context Protocol: Tripact as a server whose tools are its sessions. Clients of both eras use the one address. */
export const mcp: Protocol = {
  routes: { mcp: 'POST /mcp' },
  bodyBytesMax: 1024 * 1024,
  packages: ['@modelcontextprotocol/server'],
  refuse: refuseRpc,
  load: () => import('./handlers.ts'),
};
