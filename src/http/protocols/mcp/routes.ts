import type { Protocol } from '../port.ts';

/**
 * Longest call, in bytes: twice what an input of the longest takes with each of its bytes written as an escape. The library
 * reads a message several times and repeats ids and names of tools, which took 60 ms for 2 MiB.
 */
const CALL_BYTES_MAX = 512 * 1024;

/** The Model Context Protocol: Tripact as a server whose tools are its sessions. Clients of both eras use the one address. */
export const mcp: Protocol = {
  routes: [{ method: 'POST', url: '/mcp', handler: 'mcp', bodyBytesMax: CALL_BYTES_MAX }],
  packages: ['@modelcontextprotocol/server'],
  loadFirst: [
    () => import('@modelcontextprotocol/server/validators/ajv'),
    () => import('@modelcontextprotocol/server'),
  ],
  load: () => import('./mcp.ts'),
};
