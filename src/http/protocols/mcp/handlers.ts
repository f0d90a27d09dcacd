import {
  createMcpHandler,
  createRequestStateCodec,
  type McpServer,
  type RequestStateCodec,
  WebStandardStreamableHTTPServerTransport,
} from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ServiceError } from '../../../lib/errors.ts';
import { disconnectSignal } from '../../streams/event-stream.ts';
import type { ProtocolHandler, ProtocolHandlers, ProtocolParts } from '../port.ts';
import { rpcFailure } from '../request.ts';
import { createDecisionHandler } from './approvals.ts';
import type { HttpCall } from './http-call.ts';
import type { AskedState } from './results.ts';
import { addFileResources } from './session-files.ts';
import { ASKED_SECONDS, ToolServer, takesForms } from './tool-server.ts';
import { addTools } from './tools.ts';

/** Creates a server. Its tools submit turns and return their results. */
const createServer = (parts: ProtocolParts, codec: RequestStateCodec<AskedState>): McpServer => {
  const server = new ToolServer(parts, codec);
  addTools(server, parts);
  addFileResources(server.mcp, parts);
  return server.mcp;
};

/** The error code with which MCP servers refuse methods other than POST. */
const METHOD_NOT_ALLOWED = -32_000;

/** Refuses GET and DELETE: the server sends nothing outside of calls, and connections of hosts end by themselves. */
const refuseMethod: ProtocolHandler = async (request, reply) => {
  const error = { code: METHOD_NOT_ALLOWED, message: 'Method not allowed: calls are sent by POST' };
  return reply.code(405).header('allow', 'POST').send(rpcFailure(request, error));
};

/** Most messages in one request. The library answers all of them without yielding; a list of tools takes 2 ms each. */
const BATCH_MAX = 10;

/** Most hosts of the 2025 protocol that can ask their user. The least recently active one loses that ability. */
const ASKING_HOSTS_MAX = 1_000;

/** The `initialize` of a 2025 host that can ask its user. */
const AskingHost = z.looseObject({
  method: z.literal('initialize'),
  params: z.looseObject({ capabilities: z.looseObject({ elicitation: z.looseObject({}).refine(takesForms) }) }),
});

/**
 * The request in the web's format. The library uses no address, so the caller's `Host` is left out, and the body is
 * passed parsed.
 */
const webRequest = ({ method, headers }: FastifyRequest, signal: AbortSignal): Request => {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request('http://localhost/mcp', { method, headers: given, body: '{}', signal });
};

/**
 * Creates MCP's handlers. A 2025 host that can ask its user keeps a connection in this process; all others are served
 * call by call.
 */
export const createHandlers = (parts: ProtocolParts): ProtocolHandlers => {
  const codec = createRequestStateCodec<AskedState>({
    key: parts.signingKey(),
    ttlSeconds: ASKED_SECONDS,
    bind: ({ http }) => http?.authInfo?.clientId ?? '',
  });
  const handler = createMcpHandler(() => createServer(parts, codec));
  const hosts = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const connectHost = async (owner: string): Promise<WebStandardStreamableHTTPServerTransport> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => crypto.randomUUID(),
      onsessioninitialized: (id) => void hosts.set(`${id} ${owner}`, transport),
    });
    await createServer(parts, codec).connect(transport);
    const [oldest] = hosts.keys();
    if (oldest !== undefined && hosts.size >= ASKING_HOSTS_MAX) {
      void hosts.get(oldest)?.close();
      hosts.delete(oldest);
    }
    return transport;
  };

  return {
    listen: refuseMethod,
    end: refuseMethod,
    decide: createDecisionHandler(parts),
    mcp: async (request, reply) => {
      const { owner, body, headers } = request;
      if (Array.isArray(body) && body.length > BATCH_MAX)
        throw new ServiceError('INPUT_TOO_LARGE', `A request may have at most ${BATCH_MAX} messages`);
      const call: HttpCall = { request, reply };
      const web = webRequest(request, disconnectSignal(reply));
      const given = { parsedBody: body, authInfo: { token: '', clientId: owner, scopes: [], extra: { ...call } } };
      const key = `${headers['mcp-session-id']} ${owner}`;
      const known = hosts.get(key);
      if (known !== undefined) {
        hosts.delete(key);
        hosts.set(key, known);
        return known.handleRequest(web, given);
      }
      if (AskingHost.safeParse(body).success) return (await connectHost(owner)).handleRequest(web, given);
      return handler.fetch(web, given);
    },
  };
};
