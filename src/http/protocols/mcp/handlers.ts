import { createMcpHandler, createRequestStateCodec } from '@modelcontextprotocol/server';
import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { checked } from '../../../../contracts/checked.ts';
import { ServiceError } from '../../../lib/errors.ts';
import { disconnectSignal } from '../../event-stream.ts';
import { INVALID_PARAMS, rpcFailure } from '../json-rpc.ts';
import type { ProtocolHandler, ProtocolParts } from '../port.ts';
import type { AskedState } from './results.ts';
import { createServer, type HttpCall } from './server.ts';

/** How long a question that a client asks its user can be answered by it, in seconds; by the tool `answer` it can be for ever. */
const ASKED_SECONDS = 7 * 24 * 3_600;

/** Most messages of one request: the library answers all of them in one piece of work, a list of tools in 2 ms each. */
const BATCH_MAX = 10;

/** The request as the web has it. The library reads no address, so the caller's `Host` is left out, and its body is given parsed beside it. */
const webRequest = ({ method, headers }: FastifyRequest, signal: AbortSignal): Request => {
  const given = Object.entries(headers).map(([name, value]): [string, string] => [name, String(value)]);
  return new Request('http://localhost/mcp', { method, headers: given, body: '{}', signal });
};

/** The first call of a client of the earlier era, as far as it has to say what it is. */
const Initialize = z.looseObject({
  protocolVersion: z.string(),
  capabilities: z.looseObject({}),
  clientInfo: z.looseObject({ name: z.string(), version: z.string() }),
});

/** The error of a first call that does not say rightly who calls, which the library takes for a fault of the service; null for any other. */
const initializeFault = (body: unknown): { code: number; message: string } | null => {
  const { method, params } = Object(body) as { method?: unknown; params?: unknown };
  if (method !== 'initialize') return null;
  const read = checked(Initialize, params);
  if (read.success) return null;
  const fields = read.error.issues.map(({ path, message }) => `${['params', ...path].join('.')}: ${message}`);
  return { code: INVALID_PARAMS, message: `Invalid params for initialize: ${fields.join('; ')}` };
};

/** Makes the handler of MCP. */
export const createHandlers = (parts: ProtocolParts): Readonly<Record<string, ProtocolHandler>> => {
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
  };
};
