import type { Protocol } from '../port.ts';

/** The Model Context Protocol: Tripact as a server whose tools are its sessions. Clients of both eras use the one address. */
export const mcp: Protocol = {
  routes: [{ method: 'POST', url: '/mcp', handler: 'mcp' }],
  packages: ['@modelcontextprotocol/server'],
  loadFirst: [
    () => import('@modelcontextprotocol/server/validators/ajv'),
    () => import('@modelcontextprotocol/server'),
  ],
  load: () => import('./mcp.ts'),
};
