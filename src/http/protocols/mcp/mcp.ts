import { createMcpHandler, createRequestStateCodec } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { ServiceError } from '../../../lib/errors.ts';
import { disconnectSignal } from '../../event-stream.ts';
import { rpcError, rpcFailure } from '../json-rpc.ts';
import type { LoadedProtocol, ProtocolParts } from '../port.ts';
import type { AskedState } from './elicitation.ts';
import { initializeFault } from './initialize.ts';
import { createServer, type HttpCall } from './server.ts';

/** How long a question that a client asks its user can be answered by it, in seconds; by the tool `answer` it can be for ever. */
const ASKED_SECONDS = 7 * 24 * 3_600;

/** Most messages of one request: the library answers all of them in one piece of work, a list of tools in 2 ms each. */
const BATCH_MAX = 10;

/** The request as the web has it, at an address that says nothing: the library reads none, and what the caller's `Host` says may be none. Its body is given parsed beside it. */
const webRequest = ({ method, headers }: FastifyRequest, signal: AbortSignal): Request => {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request('http://localhost/mcp', { method, headers: given, body: '{}', signal });
};

/** Makes the handlers of MCP. */
export const createProtocol = (parts: ProtocolParts): LoadedProtocol => {
  const codec = createRequestStateCodec<AskedState>({
    key: parts.signingKey(),
    ttlSeconds: ASKED_SECONDS,
    bind: ({ http }) => http?.authInfo?.clientId ?? '',
  });
  const handler = createMcpHandler(
    ({ authInfo }) => createServer(parts, codec, authInfo?.extra as unknown as HttpCall),
    { keepAliveMs: parts.limits.heartbeatMs },
  );
  return {
    handlers: {
      mcp: async (request, reply) => {
        if (Array.isArray(request.body) && request.body.length > BATCH_MAX)
          throw new ServiceError('INPUT_TOO_LARGE', `A request has at most ${BATCH_MAX} messages`);
        const fault = initializeFault(request.body);
        if (fault !== null) return reply.send(rpcFailure(request, fault));
        const call: HttpCall = { request, reply };
        return handler.fetch(webRequest(request, disconnectSignal(reply)), {
          parsedBody: request.body,
          authInfo: { token: '', clientId: request.owner, scopes: [], extra: { ...call } },
        });
      },
    },
    refuse: (problem, request, reply) => reply.code(problem.status).send(rpcFailure(request, rpcError(problem))),
  };
};
