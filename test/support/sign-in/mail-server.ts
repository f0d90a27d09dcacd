import type { CallToolResult } from '@modelcontextprotocol/server';
import { McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { type HttpSample, serveSample } from '../mcp/http-server.ts';
import type { OAuthServer } from './oauth-server.ts';

const text = (said: string): CallToolResult => ({ content: [{ type: 'text', text: said }] });

/** An MCP server for who has signed in: everybody else gets 401 with where to sign in. */
export interface MailServer extends HttpSample {
  /** Who sent what, in order: once only each. */
  sent: string[];
}

/** The scope that the tool `purge` needs. */
const ADMIN = 'mail.admin';

/** Serves it. `open` methods need no sign-in; `purge` needs the scope `mail.admin` beside. */
export const serveMail = async (oauth: OAuthServer, open: readonly string[] = []): Promise<MailServer> => {
  const sent: string[] = [];
  let user = '';
  const sample = await serveSample(
    {},
    () => {
      const server = new McpServer({ name: 'mail', version: '1.0.0' });
      server.registerTool(
        'send',
        { description: 'Sends mail.', inputSchema: z.object({ to: z.string() }) },
        ({ to }) => {
          sent.push(`${user} to ${to}`);
          return text(`Sent as ${user}`);
        },
      );
      server.registerTool('purge', { description: 'Deletes all mail.', inputSchema: z.object({}) }, () => {
        sent.push(`${user} purged`);
        return text(`Purged as ${user}`);
      });
      return server;
    },
    async ({ url = '', headers }, method, response) => {
      const resource = `http://${headers.host}/mcp`;
      const metadata = '/.well-known/oauth-protected-resource/mcp';
      if (url === metadata) {
        response.writeHead(200, { 'content-type': 'application/json' });
        response.end(JSON.stringify({ resource, authorization_servers: [oauth.issuer], scopes_supported: ['mail'] }));
        return false;
      }
      if (open.includes(method)) return true;
      const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1];
      const found = token === undefined ? null : await oauth.userOf(token);
      if (found === null) {
        const challenge = `Bearer resource_metadata="http://${headers.host}${metadata}"`;
        response.writeHead(401, { 'www-authenticate': challenge }).end('who are you?');
        return false;
      }
      if (headers['mcp-name'] === 'purge' && !found.scopes.includes(ADMIN)) {
        const lacking = `Bearer error="insufficient_scope", scope="${ADMIN}", resource_metadata="http://${headers.host}${metadata}"`;
        response.writeHead(403, { 'www-authenticate': lacking }).end('not with these rights');
        return false;
      }
      user = found.user;
      return true;
    },
  );
  return { ...sample, sent };
};
