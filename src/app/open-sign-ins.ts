import { missingPackages } from '../lib/optional-packages.ts';
import type { SignInPages, SignIns } from '../sign-in/port.ts';
import { createCallbackGuard } from '../tools/callback-guard.ts';
import type { Foundation } from './foundation.ts';

/** The sign-ins of a service that can offer some. */
export type ServiceSignIns = SignIns & SignInPages;

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|::1)$/i;

/** Where browsers reach the service, without a slash at its end; null: nobody said. */
const publicUrlOf = ({ publicUrl, host, port }: Foundation['config']): string | null => {
  if (publicUrl !== null) return publicUrl.replace(/(?<!\/)\/+$/, '');
  return LOOPBACK.test(host) ? `http://127.0.0.1:${port}` : null;
};

/**
 * Opens the sign-ins of users at MCP servers; null: none can be offered, and where the operator meant to, the log says
 * why. Their client is loaded only if there is such a server.
 */
export const openSignIns = async ({ config, file, store, log, now }: Foundation): Promise<ServiceSignIns | null> => {
  const { mcpServers = {} } = file;
  const { secretKey: secrets } = config;
  if (secrets === null || Object.keys(mcpServers).length === 0) return null;
  if (missingPackages(['@modelcontextprotocol/client']) !== null) return null;
  const { mayHaveSignIns } = await import('../tools/mcp/authorization.ts');
  const servers = Object.entries(mcpServers).flatMap(([name, server]) => {
    if (!mayHaveSignIns(server)) return [];
    const { url, oauth: { client_id, client_secret, scope } = {} } = server;
    const client =
      client_id === undefined ? {} : { client: { client_id, ...(client_secret !== undefined && { client_secret }) } };
    return [[name, { url, ...client, ...(scope !== undefined && { scope }) }] as const];
  });
  if (servers.length === 0) return null;
  const publicUrl = publicUrlOf(config);
  if (publicUrl === null) {
    log.warn('no sign-in at MCP servers is offered: set TRIPACT_PUBLIC_URL to where browsers reach this service');
    return null;
  }
  const { createSignIns } = await import('../sign-in/sign-ins.ts');
  const guard = createCallbackGuard(config.signInHosts);
  return createSignIns({
    secrets,
    publicUrl,
    servers: Object.fromEntries(servers),
    store: store.signIns,
    // The operator chose the server itself; every other place is named by it.
    fetchFor:
      ({ url }) =>
      (asked, init) =>
        guard.ask(asked, init, new URL(url).origin),
    log,
    now,
  });
};
